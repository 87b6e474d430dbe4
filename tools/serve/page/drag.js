// What can be chosen can be taken by the mouse or a finger, too, and put down where it shall go.

const FAR = 7; // pixels after which it is no click
const PIECES = ".man, .disc, .mark, .token";

export class Drag {
  constructor(app) {
    this.app = app;
    this.now = null;
    this.dropped = false;
    app.root.addEventListener("pointerdown", (event) => this.take(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.put(event));
    addEventListener("pointercancel", () => this.end());
    addEventListener("keydown", (event) => event.key === "Escape" && this.end());
    addEventListener("click", (event) => {
      if (!this.dropped) return;
      this.dropped = false;
      event.stopPropagation();
      event.preventDefault();
    }, true);
  }

  take(event) {
    this.end();
    this.dropped = false;
    const node = event.target.closest?.("main [data-thing][data-walk=yes]");
    const { app } = this;
    if (!node || event.button !== 0 || !event.isPrimary || !app.table || app.ui.sent || app.table.several) return;
    const piece = node.matches(".spot") ? node.parentElement.querySelector(`:scope > :is(${PIECES})`) : node;
    if (!piece) return;
    const spot = node.closest("[data-zone]")?.dataset.zone ?? null;
    const means = app.table.meaning(node.dataset.thing, spot);
    if (means.state !== "ahead" && !(means.state === "legal" && means.options.length === 1)) return;
    this.now = { node, piece, spot, means, thing: node.dataset.thing, from: [event.clientX, event.clientY], at: app.view.at, ghost: null, goals: null };
  }

  move(event) {
    const { now } = this;
    if (!now) return;
    const [dx, dy] = [event.clientX - now.from[0], event.clientY - now.from[1]];
    if (!now.ghost && Math.hypot(dx, dy) < FAR) return;
    if (now.at !== this.app.view?.at) return this.end();
    if (!now.ghost) this.lift(now);
    now.ghost.style.translate = `${dx}px ${dy}px`;
  }

  // A picture of the piece goes with the pointer, and the places are shown where it may be put down.
  lift(now) {
    const { piece } = now;
    const box = piece.getBoundingClientRect();
    now.ghost = piece.cloneNode(true);
    now.ghost.className = `${piece.className} carried`;
    now.ghost.removeAttribute("data-thing");
    now.ghost.setAttribute("aria-hidden", "true");
    const { fontSize } = getComputedStyle(piece);
    Object.assign(now.ghost.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`, fontSize });
    document.body.append(now.ghost);
    piece.classList.add("lifted");
    now.goals = this.goals(now);
    now.goals.then((goals) => this.now === now && this.show(goals));
  }

  // Where it may be put down: by thing, the actions that do so, or why not.
  async goals({ means, thing, at }) {
    const { app } = this;
    if (means.state === "ahead") return {};
    const own = {};
    for (const option of app.table.options) {
      if (option.button || option.things.length < 2 || option.things[0] !== thing || option.legal === false) continue;
      own[option.things[1]] = [{ actions: [option.action] }];
    }
    if (Object.keys(own).length) return own;
    const reply = await app.wire.ask({ type: "ahead", at, action: means.option.action });
    return reply.type === "ahead" ? reply.things : {};
  }

  show(goals) {
    for (const node of this.app.root.querySelectorAll("main [data-thing]")) {
      if (goals[node.dataset.thing]?.some((goal) => goal.actions)) (node.closest(".cell, .place") ?? node).classList.add("goal");
    }
  }

  async put(event) {
    const { now, app } = this;
    if (!now?.ghost) return this.end();
    const under = document.elementFromPoint(event.clientX, event.clientY);
    this.end();
    this.dropped = true;
    setTimeout(() => (this.dropped = false));
    const goals = await now.goals;
    if (now.at !== app.view?.at || app.ui.sent) return;
    const there = [under?.closest("[data-thing]")?.dataset.thing, under?.closest("[data-place]")?.dataset.place].filter(Boolean);
    if (there[0] === now.thing) return;
    const goal = there.find((thing) => goals[thing]);
    const means = goals[goal];
    if (means) {
      const can = means.filter((one) => one.actions);
      if (can.length) return app.answer(can[0].actions);
      return app.say(means[0].why ?? "It cannot go there");
    }
    if (Object.keys(goals).length) return there.length ? app.say("It cannot go there") : undefined;
    // It goes nowhere else: to put it into the middle is to choose it.
    if (!under?.closest(".centre") || now.node.closest(".centre")) return;
    app.point(now.thing, now.spot, now.node);
  }

  end() {
    const { now } = this;
    this.now = null;
    if (!now?.ghost) return;
    now.ghost.remove();
    now.piece.classList.remove("lifted");
    for (const node of this.app.root.querySelectorAll(".goal")) node.classList.remove("goal");
  }
}
