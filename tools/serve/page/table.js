// A table: it hears the server, keeps what is picked and opened, and has it drawn.
import { anchored } from "./book.js";
import { draw } from "./dom.js";
import { Drag } from "./drag.js";
import { Keys, rove } from "./keys.js";
import { arrange } from "./map.js";
import { legal, Table } from "./model.js";
import { glide, places } from "./motion.js";
import { page } from "./page.js";
import { dialog } from "./panels.js";
import * as settings from "./settings.js";
import { tableHere, token } from "./socket.js";
import { Steady } from "./steady.js";
import { isTurned, keep, turned } from "./turn.js";
import { patched, Wire } from "./wire.js";

const HOLD = 600; // milliseconds in which an answer by one click on what comes next can be taken back
const AGAIN = 900; // milliseconds for which each step is seen that is played again
const MOST = 80; // of them
const FRESH = { sent: null, tray: null, typed: "", match: null, finding: false, step: null, reasons: false, listed: false };

class App {
  constructor(root) {
    this.root = root;
    this.table = null;
    this.view = null;
    this.seatsNow = [];
    this.labels = new Map();
    this.presence = new Map();
    this.unfolded = new Set();
    this.narrow = matchMedia("(max-width: 900px)"); // the log, and with a board the seats, are a drawer
    this.narrow.addEventListener("change", () => this.redraw());
    this.drawn = new Set();
    this.steady = new Steady();
    this.talk = [];
    this.begun = true;
    this.links = null;
    this.read = null; // the chapter of the rulebook that was open last
    this.cases = null; // which case goes on, where the server writes any
    this.held = null;
    this.since = []; // what was shown since one's own last choice, from the table before it
    this.undoing = 0;
    this.plain = new URLSearchParams(location.search).get("plain") === "1";
    this.settings = settings.load();
    settings.apply(this.settings);
    this.ui = { ...FRESH, note: "", drawer: false, listedMap: false, dialog: null, curtain: null, handOver: null, ask: null, asking: null, line: "off", first: true };
    this.box = document.getElementById("dialog");
    this.box.addEventListener("close", () => this.closed());
    this.box.addEventListener("click", (event) => event.target === this.box && this.dialog(null));
    this.keys = new Keys(this);
    this.id = tableHere();
    this.token = token();
    this.wire = new Wire({
      hello: () => ({ table: this.id, token: this.token, ...(this.view ? { have: this.view.at } : {}) }),
      hears: (message) => this.hear(message),
      changed: (line, code) => this.lineIs(line, code),
    });
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.wire.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.wire.hurry());
    addEventListener("hashchange", () => location.reload());
    new ResizeObserver(() => this.fit()).observe(root);
    root.addEventListener("contextmenu", (event) => this.closely(event));
    this.longPress();
    this.drag = new Drag(this);
    root.addEventListener("click", (event) => this.twice(event), true);
  }

  // --- what the server says ------------------------------------------------------------------------------------------
  hear(message) {
    const hears = this[`on_${message.type}`];
    if (hears) hears.call(this, message);
  }

  on_welcome({ role, seats, game, secrets, chat, begun }) {
    Object.assign(this, { role, mine: seats, game, secrets });
    this.talk = chat ?? [];
    if (begun !== undefined) this.begun = begun;
    document.title = game.title;
    this.redraw();
  }

  on_view({ view, can_undo }) {
    this.canUndo = Boolean(can_undo ?? view.decision?.can_undo);
    this.show(view);
  }

  on_patch({ from, patch, can_undo }) {
    if (this.view?.at !== from) return this.wire.send({ type: "view" });
    this.on_view({ view: patched(this.view, patch), can_undo });
  }

  on_presence({ begun, seats, watching, pace }) {
    this.begun = begun;
    this.seatsNow = seats;
    this.watching = watching;
    this.labels = new Map(seats.map((one) => [one.seat, one.label]));
    this.paceNow = pace;
    this.presence = new Map(seats.map((one) => [one.seat, one]));
    this.redraw();
  }

  on_curtain({ seat }) {
    this.since = [];
    this.view = this.table = this.last = this.walking = null; // nothing of what the one before has seen is left
    this.ahead = {};
    this.announce("");
    this.dialog(null);
    this.forget();
    this.set({ ...FRESH, curtain: seat, handOver: null, note: "", first: true });
    document.getElementById("here")?.focus();
  }

  on_hand_over({ next }) {
    this.set({ handOver: next });
  }

  on_ask(message) {
    this.set({ ask: message });
  }

  on_asked({ by, yes }) {
    this.set({ ask: null, asking: null });
    this.say(`${this.labels.get(by) ?? by}: ${yes ? "taken back" : "it stays as it is"}`);
  }

  on_chat({ by, text }) {
    this.talk = [...this.talk, { by, text }];
    this.announce(`${this.labels.get(by) ?? by}: ${text}`);
    this.redraw();
  }

  on_case({ name, text }) {
    this.cases = { name, text: text || this.cases?.text || "", busy: false };
    if (text) this.announce(text);
    this.redraw();
  }

  on_error({ text }) {
    this.say(text ?? "The server did not understand this page");
  }

  lineIs(line, code) {
    if (line !== "on" && this.ui.line === "on") this.announce("The connection is lost; it is tried again");
    if (line === "on" && !this.ui.first && this.ui.line !== "on") this.announce("Connected again");
    this.set({ line, code });
  }

  // --- the view ------------------------------------------------------------------------------------------------------
  show(view) {
    const before = this.view;
    const mine = view.decision && (!before?.decision || before.log_lines !== view.log_lines || before.decision.site !== view.decision.site);
    this.view = view;
    this.last = before;
    if (!view.over || this.walking?.views) this.walking = null;
    if (before?.decision && !view.decision) this.since = [before];
    this.since = [...this.since, view].slice(-MOST);
    // What others did has not changed the question: what is picked, typed or held stays.
    const same = before?.decision && view.decision === before.decision && !this.ui.sent;
    if (!same) {
      this.ahead = {};
      this.forget();
      const keep = before?.decision && view.decision && before.decision.site === view.decision.site;
      Object.assign(this.ui, FRESH, { listed: keep ? this.ui.listed : false, note: "" });
    }
    Object.assign(this.ui, { curtain: null, first: false });
    if (!view.to_act.includes(this.ui.handOver)) this.ui.handOver = null;
    if (!same && view.decision?.collected?.what === "set") {
      this.ui.tray = { picked: [], options: null, whole: false };
      this.select([]);
    }
    this.redraw({ moved: true });
    if (this.undoing > 0) return this.undo(this.undoing);
    if (view.over && !before?.over) this.announce(document.getElementById("prompt")?.textContent ?? "The game is over");
    else if (view.decision && before?.decision?.prompt !== view.decision.prompt) this.announce(view.decision.prompt);
    if (mine && this.settings.sound && document.hidden) settings.ring();
    document.title = `${view.decision ? "● " : ""}${view.game.title}`;
    if (view.decision?.options.some((option) => option.button && legal(option))) this.lookAhead();
  }

  async lookAhead() {
    const { at } = this.view;
    const reply = await this.wire.ask({ type: "ahead", at });
    if (reply.type !== "ahead" || this.view?.at !== at || !Object.keys(reply.things).length) return;
    this.ahead = reply.things;
    this.redraw();
  }

  forget() {
    if (this.held) clearTimeout(this.held.timer);
    this.held = null;
    this.lit = null;
  }

  set(changes) {
    Object.assign(this.ui, changes);
    this.redraw();
  }

  toggle(name) {
    this.set({ [name]: !this.ui[name] });
  }

  redraw({ moved = false } = {}) {
    const before = moved ? places(this.root) : new Map();
    const old = document.activeElement;
    const inside = this.root.contains(old) && old !== this.root;
    // Before it has begun nothing is asked.
    const seen = this.walking?.view ?? (this.view && !this.begun ? { ...this.view, decision: null } : this.view);
    const view = seen && isTurned(this.id, this.view) ? turned(seen) : seen;
    this.table = view ? new Table(view, { ahead: this.ahead, tray: this.ui.tray }) : null;
    this.drawn = new Set();
    document.body.className = "";
    draw(this.root, page(this));
    this.fit();
    rove(this.root);
    if (inside && !this.root.contains(document.activeElement)) document.getElementById("prompt")?.focus({ preventScroll: true });
    if (moved && this.table) {
      this.bringHands();
      glide(this.root, before, this.table, this.last);
      const log = this.root.querySelector(".log");
      if (log) log.scrollTop = log.scrollHeight;
    }
    this.drawDialog();
  }

  // Of a hand that is longer than the window, show a part with something that can be chosen.
  bringHands() {
    for (const hand of this.root.querySelectorAll(".hand")) {
      if (hand.scrollWidth <= hand.clientWidth) continue;
      const box = hand.getBoundingClientRect();
      const legal = [...hand.querySelectorAll(":is(.legal, .ahead)")].map((node) => node.getBoundingClientRect());
      if (!legal.length || legal.some((one) => one.left >= box.left && one.right <= box.right)) continue;
      hand.scrollLeft += legal[0].left - box.left - 12;
    }
  }

  // Let everything have room: the map is arranged, and cards are as large as they can be.
  fit() {
    if (!this.table || this.plain) return;
    this.steady.keep(this.root);
    const centre = this.root.querySelector(".centre");
    if (!centre) return;
    const map = centre.querySelector(".map");
    if (map) {
      arrange(map, this.view.map);
      if (map.dataset.at !== this.view.decision?.prompt) this.lookAt(map);
    }
    if (this.table.size === "board") return;
    const fitted = `${innerWidth} ${innerHeight} ${centre.clientHeight} ${centre.querySelectorAll(".card").length} ${centre.textContent.length}`;
    if (fitted === this.fitted) return;
    this.fitted = fitted;
    for (let scale = 1.4; scale > 0.5; scale -= 0.08) {
      centre.style.setProperty("--scale", scale.toFixed(2));
      if (centre.scrollHeight <= centre.clientHeight + 1 && centre.scrollWidth <= centre.clientWidth + 1) return;
    }
  }

  // Of a map that is larger than its window, show the part where something can be chosen, or has changed.
  lookAt(map) {
    map.dataset.at = this.view.decision?.prompt;
    if (map.scrollWidth <= map.clientWidth && map.scrollHeight <= map.clientHeight) return;
    const nodes = [...map.querySelectorAll(".place.legal, .place:has(.legal)")];
    const shown = nodes.length ? nodes : [...map.querySelectorAll(".place.new, .place:has(> .flags)")];
    if (!shown.length) return;
    const middle = (low, size) => shown.reduce((sum, node) => sum + node[low] + node[size] / 2, 0) / shown.length;
    map.scrollTo(middle("offsetLeft", "offsetWidth") - map.clientWidth / 2, middle("offsetTop", "offsetHeight") - map.clientHeight / 2);
  }

  // --- what a person does --------------------------------------------------------------------------------------------
  // To point at a thing in a place.
  point(thing, spot, node) {
    if (!this.table) return;
    const means = this.table.meaning(thing, spot);
    if ((means.state === "legal" || means.state === "picked") && means.options.length === 1) return this.choose(means.option);
    if (means.state === "ahead" && means.verbs.length === 1) return this.hold(means.verbs[0], thing);
    if (means.state === "ahead" || means.options?.length > 1) return this.menu(thing, spot, node);
    if (means.state === "no") return this.say(means.why);
    this.inspect(thing, spot);
  }

  // The second click of two on the same place is none on what has come there meanwhile.
  twice(event) {
    if (event.detail < 2) this.clicked = this.view?.at;
    else if (this.clicked !== this.view?.at && event.target.closest("[data-action], [data-thing], .answer, .done")) {
      event.stopPropagation();
      event.preventDefault();
      this.say("You have clicked twice: only the first counts");
    }
  }

  turn() {
    keep(this.id, !isTurned(this.id, this.view));
    this.redraw();
  }

  // What has happened since one's own last choice, once more: view by view, as it was shown then.
  replay() {
    if (this.since.length < 2 || this.view?.over) return;
    this.walking = { step: 0, steps: this.since.length - 1, views: [...this.since], view: { ...this.since[0], decision: null } };
    this.redraw();
    const next = () => {
      if (!this.walking?.views || this.walking.step >= this.walking.steps) return;
      this.walk(this.walking.step + 1);
      this.playing = setTimeout(next, AGAIN);
    };
    this.playing = setTimeout(next, AGAIN);
  }

  menu(thing, spot, node) {
    const box = node.getBoundingClientRect();
    this.dialog({ what: "verbs", thing, spot, at: [box.left + box.width / 2, box.bottom] });
  }

  choose(option) {
    if (!legal(option)) return this.say(option.why ?? "Not now");
    if (this.table.several && this.ui.tray && !this.ui.tray.alone) return this.pick(option);
    this.answer([option.action]);
  }

  // An answer by one click on what only comes next can be taken back for a moment.
  hold(verb, thing) {
    if (this.held?.thing === thing) return this.giveHeld();
    this.withdraw();
    this.held = { timer: setTimeout(() => this.giveHeld(), HOLD), thing, actions: verb.actions, text: `${verb.text}: ${this.table.face(thing).label}` };
    this.redraw();
  }

  // Pointed at again, or nobody has taken it back.
  giveHeld() {
    const { actions } = this.held;
    this.forget();
    this.answer(actions);
  }

  withdraw() {
    if (!this.held) return;
    this.forget();
    this.redraw();
  }

  async answer(actions) {
    if (this.ui.sent) return;
    this.forget();
    const { at } = this.view;
    this.set({ sent: actions, note: "", typed: "", match: null });
    const reply = await this.wire.ask({ type: "answer", at, actions });
    this.settled(reply);
  }

  settled(reply) {
    if (reply.type === "ok") return;
    this.ui.sent = null;
    if (reply.type === "stale") {
      if (this.view?.at !== reply.at) this.wire.send({ type: "view" });
      this.say("The table has changed: choose again");
    } else this.say(reply.why ?? "That is not possible now");
  }

  // Of several: into the tray, or out of it.
  pick(option) {
    const { picked } = this.ui.tray;
    if (option === this.table.enough) return this.done();
    const next = picked.includes(option.action) ? picked.filter((action) => action !== option.action) : [...picked, option.action];
    this.ui.tray = { ...this.ui.tray, picked: next, whole: false };
    this.redraw();
    this.select(next);
  }

  // What may be picked as well, as the rules have it.
  async select(picked) {
    const { at } = this.view;
    const reply = await this.wire.ask({ type: "select", at, picked });
    if (this.view?.at !== at || this.ui.tray?.picked !== picked && String(this.ui.tray?.picked) !== String(picked)) return;
    if (reply.type === "selection") {
      this.ui.tray = { picked, whole: reply.whole, options: new Map(reply.options.map((one) => [one.action, one])) };
      if (reply.whole && this.root.contains(document.activeElement) && !this.table.options.some((one) => legal(one) && !one.picked)) this.root.querySelector(".done")?.focus();
    } else if (reply.type === "illegal") {
      if (!picked.length) this.ui.tray = { picked: [], options: null, whole: false, alone: true }; // it is answered one by one
      else {
        this.ui.tray = { ...this.ui.tray, picked: picked.slice(0, -1) };
        this.say(reply.why);
        return this.select(picked.slice(0, -1));
      }
    }
    this.redraw();
  }

  async done() {
    const { tray } = this.ui;
    if (this.ui.sent || !tray) return;
    const { at } = this.view;
    const several = tray.whole || !this.table.enough ? tray.picked : [...tray.picked, this.table.enough.action];
    this.set({ sent: several, note: "" });
    this.settled(await this.wire.ask({ type: "answer", at, several }));
  }

  // Take back so many answers, one after another.
  async undo(times) {
    if (this.held) return this.withdraw();
    if (!this.canUndo) {
      this.undoing = 0;
      return this.say("There is nothing that can be taken back");
    }
    this.undoing = times - 1;
    const reply = await this.wire.ask({ type: "undo", at: this.view.at });
    if (reply.type === "ok") return;
    this.undoing = 0;
    if (reply.type !== "asking") this.say(reply.why ?? "The table has changed");
  }

  on_asking({ seats }) {
    this.set({ asking: seats.map((seat) => this.labels.get(seat) ?? seat).join(", ") });
  }

  withdrawUndo() {
    this.wire.ask({ type: "undo", at: this.view.at, withdraw: true });
    this.set({ asking: null });
  }

  agree(yes) {
    this.wire.send({ type: "agree", ask: this.ui.ask.ask, yes });
    this.set({ ask: null });
  }

  async request(message, then = () => {}) {
    const reply = await this.wire.ask(message);
    if (reply.type === "illegal" || reply.type === "error") this.say(reply.why ?? reply.text ?? "That is not possible now");
    else then(reply);
  }

  pace(seconds) {
    this.request({ type: "pace", seconds });
  }

  begin() {
    this.request({ type: "begin" });
  }

  stand() {
    this.request({ type: "stand" });
  }

  again() {
    this.request({ type: "again" });
  }

  give(seat, by) {
    this.request({ type: "seat", seat, by });
  }

  record() {
    this.request({ type: "record" }, ({ transcript, seed }) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([transcript], { type: "application/jsonl" }));
      link.download = `${this.view.game.id}_${seed}.jsonl`;
      link.click();
      URL.revokeObjectURL(link.href);
      this.say(`Saved as ${link.download}: rulespec watch ${link.download} plays it again`);
    });
  }

  // Walk through a game that is over: to a step of it, one after the other is asked for. null: back to the end.
  async walk(step) {
    if (step !== null && this.walking?.views) {
      const view = this.walking.views[step];
      if (!view) return;
      this.last = this.walking.view;
      this.walking = { ...this.walking, step, view: { ...view, decision: null } };
      return this.redraw({ moved: true });
    }
    if (step === null || !this.view?.over) {
      clearTimeout(this.playing);
      this.walking = null;
      return this.redraw();
    }
    if (this.stepping) return;
    this.stepping = true;
    const reply = await this.wire.ask({ type: "step", step: Math.max(0, step) });
    this.stepping = false;
    if (reply.type !== "step") return this.say(reply.why ?? "That is not possible now");
    if (!this.view?.over) return;
    this.last = this.walking?.view ?? this.view;
    this.walking = reply;
    this.redraw({ moved: true });
    this.announce(`Step ${reply.step} of ${reply.steps}`);
  }

  showRules() {
    this.request({ type: "rules" }, ({ about, rulings }) => {
      this.dialog({ what: "rules", about, rulings });
      if (!this.read || this.read.why) this.page(0);
    });
  }

  // Open a chapter of the rulebook, at a heading if one is named.
  async page(chapter, anchor) {
    const reply = await this.wire.ask({ type: "book", chapter });
    if (reply.writing) {
      if (this.ui.dialog?.what === "rules") setTimeout(() => this.page(chapter, anchor), 700);
      return;
    }
    this.read = reply.type === "book" ? reply : { why: reply.why ?? "The rulebook cannot be read now." };
    if (this.ui.dialog?.what !== "rules") return;
    this.drawDialog();
    const goal = anchor ? document.getElementById(anchored(anchor)) : null;
    goal?.scrollIntoView({ block: "start" });
    goal?.focus({ preventScroll: true });
  }

  showCase() {
    if (!this.cases.name) this.cases.text = "";
    this.dialog({ what: "case" });
  }

  // Begin a case of this name, or end the one that goes on. What came of it is in `on_case`.
  async case(asked) {
    this.cases.busy = true;
    this.redraw();
    const reply = await this.wire.ask({ type: "case", ...asked });
    if (reply.type !== "case") this.on_case({ name: this.cases.name, text: reply.why ?? reply.text ?? "That is not possible now" });
  }

  showLinks() {
    this.dialog({ what: "links" });
    this.request({ type: "links" }, (reply) => {
      this.links = reply;
      this.redraw();
    });
  }

  here() {
    this.wire.send({ type: "here", seat: this.ui.curtain });
  }

  away() {
    this.wire.send({ type: "away" });
    this.set({ handOver: null });
  }

  speak(input) {
    if (input.value.trim()) this.wire.send({ type: "chat", text: input.value.trim() });
    input.value = "";
  }

  // --- looking -------------------------------------------------------------------------------------------------------
  inspect(target, spot) {
    const thing = typeof target === "string" ? target : (target.dataset.thing ?? target.dataset.tag ?? this.option(target)?.things?.[0]);
    if (!thing) return;
    this.dialog({ what: "thing", thing, spot });
    this.readAbout(this.ui.dialog);
  }

  // What is written of a thing comes from the server, when it is looked at.
  async readAbout(open) {
    const reply = await this.wire.ask({ type: "about", at: this.view.at, thing: open.thing });
    if (reply.type !== "about" || this.ui.dialog !== open) return;
    open.written = reply;
    this.drawDialog();
  }

  option(node) {
    return this.table?.options.find((one) => String(one.action) === node?.dataset?.action);
  }

  whyNot(node) {
    const thing = node?.dataset?.thing;
    const means = thing ? this.table.meaning(thing) : null;
    if (means?.state === "no") return this.say(means.why);
    if (node?.getAttribute("aria-disabled") === "true") return this.say(node.title);
    if (means?.state === "legal") return this.say(`${means.label}: it can be chosen`);
    if (!this.table.reasons().length) return this.say(this.table.options.length ? "All that can be meant now is allowed" : "You are not asked now");
    this.toggle("reasons");
  }

  closely(event) {
    const node = event.target.closest?.("[data-thing], [data-tag]");
    if (!node || !this.table) return;
    event.preventDefault();
    this.inspect(node);
  }

  longPress() {
    let timer = null;
    let pressed = false;
    const stop = () => clearTimeout(timer);
    this.root.addEventListener("pointerdown", (event) => {
      pressed = false;
      const node = event.target.closest?.("[data-thing]");
      if (!node || event.pointerType !== "touch") return;
      timer = setTimeout(() => {
        pressed = true;
        this.inspect(node);
      }, 550);
    });
    for (const name of ["pointerup", "pointercancel", "pointermove"]) this.root.addEventListener(name, stop);
    this.root.addEventListener("click", (event) => {
      if (!pressed) return;
      pressed = false;
      event.stopPropagation();
      event.preventDefault();
    }, true);
  }

  open(id) {
    this.dialog({ what: "zone", id });
  }

  dialog(what) {
    if (what && !this.ui.dialog) this.opener = document.activeElement;
    this.ui.dialog = what;
    this.drawDialog();
  }

  drawDialog() {
    const now = this.ui.dialog;
    const said = now && (this.table || now.what === "keys" || now.what === "rules" || now.what === "settings" || now.what === "links") ? dialog(this, now) : null;
    if (!said) {
      this.ui.dialog = null;
      if (this.box.open) this.box.close();
      draw(this.box, []);
      return;
    }
    this.box.className = said.class ?? "";
    this.box.setAttribute("aria-label", said.label);
    draw(this.box, said.body);
    if (!this.box.open) this.box.showModal();
    this.box.style.cssText = "";
    if (said.at) {
      const { offsetWidth: w, offsetHeight: height } = this.box;
      this.box.style.left = `${Math.max(8, Math.min(said.at[0] - w / 2, innerWidth - w - 8))}px`;
      this.box.style.top = `${Math.max(8, Math.min(said.at[1] + 6, innerHeight - height - 8))}px`;
    }
  }

  closed() {
    this.ui.dialog = null;
    draw(this.box, []);
    if (this.opener?.isConnected) this.opener.focus();
    this.opener = null;
  }

  // Light what an answer means, and the answer of what is pointed at.
  light(option) {
    if (this.lit === option) return;
    this.lit = option;
    for (const node of this.root.querySelectorAll(".lit")) node.classList.remove("lit");
    if (!option) return;
    for (const node of this.root.querySelectorAll(`[data-action="${option.action}"]`)) node.closest(".cell, .place, .seat, .card, .answer, button")?.classList.add("lit");
  }

  showLog() {
    this.set({ drawer: !this.ui.drawer });
    this.root.querySelector(".log")?.focus();
  }

  unfold(seat) {
    if (!this.unfolded.delete(seat)) this.unfolded.add(seat);
    this.redraw();
  }

  setting(name, value) {
    this.settings = { ...this.settings, [name]: value };
    settings.save(this.settings);
    settings.apply(this.settings);
    if (name === "sound" && value) settings.ring();
    this.redraw();
  }

  whyId(option) {
    return `why-${option.action}`;
  }

  tell(text) {
    this.say(text);
  }

  // A word on the screen, until the table changes.
  say(text) {
    this.set({ note: text });
  }

  announce(text) {
    document.getElementById("announce").textContent = text;
  }
}

new App(document.getElementById("app"));
