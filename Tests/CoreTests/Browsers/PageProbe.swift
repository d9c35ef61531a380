/// What tests put into a page before its own scripts: eyes and hands, and no sound processing, which takes tones away.
enum PageProbe {
    static let script = """
        window.probe = {
          connections: [],
          until(holds, milliseconds) {
            const end = performance.now() + milliseconds;
            return new Promise((resolve) => {
              const look = async () => {
                const isSo = Boolean(await holds());
                if (isSo || performance.now() > end) resolve(isSo); else setTimeout(look, 10);
              };
              look();
            });
          },
          fill(id, text) {
            const field = document.getElementById(id);
            field.value = text;
            field.dispatchEvent(new Event("input", { bubbles: true }));
          },
          choose(id, label) {
            const list = document.getElementById(id);
            const option = [...list.options].find((each) => each.label.startsWith(label));
            if (!option) return false;
            list.value = option.value;
            list.dispatchEvent(new Event("change", { bubbles: true }));
            return true;
          },
          async stats(type) {
            const reports = await Promise.all(this.connections.map((each) => each.getStats()));
            return reports.flatMap((report) => [...report.values()].filter((entry) => entry.type === type));
          },
        };
        {
          const Original = window.RTCPeerConnection;
          window.RTCPeerConnection = class extends Original {
            constructor(...configuration) {
              super(...configuration);
              probe.connections.push(this);
            }
          };
          const devices = navigator.mediaDevices;
          const open = devices?.getUserMedia.bind(devices);
          if (open) devices.getUserMedia = (constraints) => {
            const audio = typeof constraints.audio === "object" ? constraints.audio : {};
            const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
            return open({ ...constraints, audio: { ...audio, ...plain } });
          };
        }
        """
}
