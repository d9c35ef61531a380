"""Headless Chromium, driven by its debugging protocol over two pipes, with which it ends."""
import json, os, subprocess


class Chromium:
    def __init__(self, base, *flags, environment=os.environ):
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--no-proxy-server", f"--user-data-dir={base}/chromium",
            "--remote-debugging-pipe", "--allow-loopback-in-peer-connection",
            "--disable-features=WebRtcHideLocalIpsWithMdns", *flags, "about:blank"]
        self.child = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh", *command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(environment, HOME=base))
        self.count = 0

    def page(self):
        """A page in a profile of its own."""
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        return Page(self, self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])

    def ask(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.child.stdin.write(json.dumps(message).encode() + b"\0")
        self.child.stdin.flush()
        while True:
            text = b""
            while (byte := self.child.stdout.read(1)) != b"\0":
                if not byte:
                    raise OSError("chromium has ended")
                text += byte
            answer = json.loads(text)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise OSError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def open(self, address, script):
        """Opens an address, with a script that runs before the page's own."""
        self.browser.ask("Page.enable", self.session)
        self.browser.ask("Page.addScriptToEvaluateOnNewDocument", self.session, source=script)
        self.browser.ask("Page.navigate", self.session, url=address)

    def evaluate(self, expression):
        """The value of an expression, awaited if it is a promise."""
        answer = self.browser.ask("Runtime.evaluate", self.session, expression=expression, awaitPromise=True,
                                  returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise OSError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")
