// The connection to the server, as docs/protocol.md has it: it says hello again when it breaks, and gives again what had no reply.

import { connect } from "./socket.js";

const WAITS = [500, 1000, 2000, 4000, 8000]; // before it connects again, in milliseconds
const LOST = new Set([1001, 1005, 1006, 1011, 1012, 1013, 4408, 4429]); // codes of closing after which it does
const WRONG = 4401; // ... as after this one, once: a server that has just begun may not have the table yet

export class Wire {
  // `hears` is called with each message, `changed` with how the connection is: on, off (it tries again) or shut (with a code).
  constructor({ hello, hears, changed, path = "/ws" }) {
    Object.assign(this, { hello, hears, changed, path });
    this.waiting = new Map(); // requests without a reply: id -> {message, done}
    this.tries = 0;
    this.refused = 0; // times running that the link was said to be wrong
    this.number = 0;
    this.mine = crypto.getRandomValues(new Uint32Array(2)).join("");
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = (this.socket = connect(this.path));
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 1, ...this.hello() }));
    socket.onmessage = (event) => this.socket === socket && this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.closed(event.code);
  }

  receive(message) {
    if (message.type === "welcome") {
      this.tries = 0;
      this.refused = 0;
      this.ready = true;
      this.changed("on");
      for (const { message: sent } of this.waiting.values()) this.send(sent);
    }
    const request = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (request) {
      this.waiting.delete(message.id);
      request.done(message);
    }
    this.hears(message);
  }

  closed(code) {
    this.ready = false;
    this.refused = code === WRONG ? this.refused + 1 : 0;
    if (!LOST.has(code) && this.refused !== 1) return this.changed("shut", code);
    this.changed("off", code);
    this.timer = setTimeout(() => this.open(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  // Connect at once: the page is looked at again, or the network is back.
  hurry() {
    if (!this.ready && this.timer && this.socket.readyState === WebSocket.CLOSED) {
      this.tries = 0;
      this.open();
    }
  }

  // A message that nobody answers; it is lost where the connection is.
  send(message) {
    if (this.ready && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  // A message that is answered: the reply.
  ask(message) {
    const sent = { ...message, id: `${this.mine}.${this.number++}` };
    return new Promise((done) => {
      this.waiting.set(sent.id, { message: sent, done });
      this.send(sent);
    });
  }
}

// A JSON document with the changes of a JSON Patch: only `add`, `remove` and `replace`. What does not change is the same object.
export function patched(document, changes) {
  let root = document;
  const fresh = new Set(); // copies that may be written to
  const copy = (value) => {
    if (fresh.has(value)) return value;
    const one = Array.isArray(value) ? [...value] : { ...value };
    fresh.add(one);
    return one;
  };
  for (const { op, path, value } of changes) {
    const parts = path.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (!parts.length) {
      root = value;
      continue;
    }
    root = copy(root);
    let at = root;
    for (const part of parts.slice(0, -1)) at = at[part] = copy(at[part]);
    const last = parts.at(-1);
    if (!Array.isArray(at)) {
      if (op === "remove") delete at[last];
      else at[last] = value;
    } else if (op === "remove") at.splice(Number(last), 1);
    else if (op === "replace") at[Number(last)] = value;
    else at.splice(last === "-" ? at.length : Number(last), 0, value);
  }
  return root;
}
