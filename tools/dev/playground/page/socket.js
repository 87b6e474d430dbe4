// How the page reaches its server, which is a worker of the page itself; the table within the page asks the page around it.
const outer = parent === self ? self : parent;
const place = new URL("../worker.js", import.meta.url).href;

function worker() {
  if (!outer.rulespecWorker) {
    const policy = globalThis.trustedTypes?.createPolicy("rulespec-worker", { createScriptURL: () => place });
    outer.rulespecWorker = new Worker(policy ? policy.createScriptURL("") : place, { type: "module" });
  }
  return outer.rulespecWorker;
}

export const address = (path) => new URL(`..${path}`, import.meta.url).href;
export const token = () => (outer === self ? "here" : location.hash.slice(1)); // a table has one of its own
export const tableHere = () => new URLSearchParams(location.search).get("table");
export const pageOf = (link) => link.replace("/t/", "table.html?table=").replace("#", "&at=now#");

// As much of a WebSocket as the page uses.
class Port {
  constructor(path) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.readyState = WebSocket.CONNECTING;
    port1.onmessage = ({ data }) => {
      if (data.open) {
        this.readyState = WebSocket.OPEN;
        this.onopen?.();
      } else if (data.text !== undefined) this.onmessage?.({ data: data.text });
      else {
        this.readyState = WebSocket.CLOSED;
        this.onclose?.({ code: data.code });
      }
    };
    worker().postMessage({ path, port: port2 }, [port2]);
    if (outer !== self) addEventListener("pagehide", () => port1.postMessage({ gone: true }));
  }

  send(text) {
    this.port.postMessage({ text });
  }
}

export const connect = (path) => new Port(path);

// Ask the worker for something that is no message of the studio; an Error says why it cannot be done.
export function ask(what) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done, fail) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      if (data.why === undefined) done(data);
      else fail(new Error(data.why));
    };
    worker().postMessage({ ask: what, port: port2 }, [port2]);
  });
}
