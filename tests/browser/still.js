// A socket without a server, which shows one view: window.still has it, with what `ahead` is told.
window.WebSocket = class {
  static OPEN = 1;
  static CLOSED = 3;
  readyState = 1;
  constructor() {
    setTimeout(() => this.onopen());
  }
  send(text) {
    const message = JSON.parse(text);
    const { view, ahead } = window.still;
    const say = (reply) => setTimeout(() => this.onmessage({ data: JSON.stringify(reply) }));
    const seats = view.seats.map((seat) => ({ seat: seat.id, label: seat.label, by: seat.you ? "person" : "bot", here: true }));
    if (message.type === "hello") {
      say({ type: "welcome", protocol: 1, role: "seat", seats: [view.you], table: "still", game: view.game, secrets: true, chat: [] });
      say({ type: "presence", begun: true, watching: 0, seats });
      say({ type: "view", seat: view.you, at: view.at, view });
    }
    if (message.type === "ahead") say({ type: "ahead", id: message.id, at: message.at, things: ahead });
  }
};
