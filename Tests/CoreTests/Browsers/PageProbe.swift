/// What tests put into a page before its own scripts: eyes and hands, and no sound processing, which takes tones away.
enum PageProbe {
    static let script = """
        window.probe = {
          connections: [],
          sockets: [],
          faults: [],
          // Whether no new way to the room is found.
          isAway: false,
          get connection() { return this.connections.at(-1); },
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
          offers(id, label) {
            return [...document.getElementById(id).options].find((each) => each.label.startsWith(label));
          },
          choose(id, label) {
            const list = document.getElementById(id);
            const option = this.offers(id, label);
            if (!option) return false;
            list.value = option.value;
            list.dispatchEvent(new Event("change", { bubbles: true }));
            return true;
          },
          // The luma of what a video shows, 128 by 72 pixels, row by row.
          look(selector) {
            const canvas = new OffscreenCanvas(128, 72);
            const context = canvas.getContext("2d");
            context.drawImage(document.querySelector(selector), 0, 0, 128, 72);
            const { data } = context.getImageData(0, 0, 128, 72);
            return Array.from({ length: 128 * 72 }, (_, index) =>
              Math.round(0.299 * data[4 * index] + 0.587 * data[4 * index + 1] + 0.114 * data[4 * index + 2]));
          },
          // The cameras by name, with the colours that each sees in turn.
          cameras: { usual: ["#c00000", "#00c000"], other: ["#0000c0", "#0000c0"] },
          camera(name) {
            const colors = this.cameras[name];
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [640, 480];
            const context = canvas.getContext("2d");
            let count = 0;
            setInterval(() => {
              context.fillStyle = colors[(count++ / 15) & 1];
              context.fillRect(0, 0, 640, 480);
              context.fillStyle = "#fff";
              context.fillRect((count * 8) % 640, 200, 40, 40);
            }, 33);
            return canvas.captureStream(30);
          },
          // The last connection's first entry of a type, and of a kind where one is named.
          async stats(type, kind) {
            return [...(await this.connection.getStats()).values()]
              .find((entry) => entry.type === type && (!kind || entry.kind === kind)) ?? {};
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
          const Socket = window.WebSocket;
          window.WebSocket = class extends Socket {
            constructor(...address) {
              super(...(probe.isAway ? [new URL("/nowhere", address[0])] : address));
              probe.sockets.push(this);
            }
          };
          for (const type of ["error", "unhandledrejection", "securitypolicyviolation"]) {
            addEventListener(type, (event) => {
              probe.faults.push(`${type}: ${event.message ?? event.reason ?? event.violatedDirective}`);
            });
          }
          const devices = navigator.mediaDevices;
          const open = devices?.getUserMedia.bind(devices);
          if (open) devices.getUserMedia = (constraints) => {
            if (constraints.video) return Promise.resolve(probe.camera(constraints.video.deviceId?.exact ?? "usual"));
            const audio = typeof constraints.audio === "object" ? constraints.audio : {};
            const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
            return open({ ...constraints, audio: { ...audio, ...plain } });
          };
          const list = devices?.enumerateDevices.bind(devices);
          if (list) devices.enumerateDevices = async () => [
            ...(await list()).filter((each) => each.kind !== "videoinput"),
            ...Object.keys(probe.cameras).map((name) => ({ kind: "videoinput", deviceId: name, label: `${name} camera` })),
          ];
        }
        """
}
