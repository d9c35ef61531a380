"""A core of the program with directories of its own."""
import pathlib, subprocess


class Core:
    """`within` are the words that enter its network."""

    def __init__(self, base, program, environment, within=(), settings=""):
        self.base, self.words = base, [*within, program]
        folders = {name: pathlib.Path(f"{base}/{name.lower()}") for name in ("RUNTIME", "CONFIG", "STATE")}
        self.environment = dict(environment, **{f"HOOT_{name}_DIR": str(path) for name, path in folders.items()})
        folders["CONFIG"].mkdir(parents=True)
        (folders["CONFIG"] / "hoot.conf").write_text(settings)

    def hoot(self, *words, **more):
        return subprocess.run(
            [*self.words, *words], env=self.environment, check=True, capture_output=True, text=True, **more).stdout

    def host(self, address="127.0.0.1", name="a"):
        """Serves a room and joins it; its link."""
        return self.hoot("host", "bench", "--listen", f"{address}:0", f"--name={name}").split()[0]

    def join(self, link, name="b"):
        self.hoot("join", "-", f"--name={name}", input=link + "\n")

    @property
    def pid(self):
        return int(pathlib.Path(f"{self.base}/state/core.lock").read_text().split()[0])

    def close(self):
        self.hoot("core", "stop")
