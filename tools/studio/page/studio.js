// The studio: it keeps what is open and what is not saved, hears the server, and has the page drawn.
import { draw } from "../page/dom.js";
import * as settings from "../page/settings.js";
import { pageOf, token } from "../page/socket.js";
import { Wire } from "../page/wire.js";
import { bar, filesOf, standing, told, views, welcome } from "./chrome.js";
import { dialog } from "./dialogs.js";
import { Editor, stepped } from "./editor.js";
import { grid } from "./grid.js";
import { Language } from "./language.js";
import { below, walk } from "./panels.js";
import { Pointing } from "./pointing.js";
import { Steps } from "./undoing.js";

const SOON = 250; // milliseconds without a key before a text is kept by the server
const MINE = "rulespec-studio-page";

function pageName() {
  const known = sessionStorage.getItem(MINE) ?? crypto.getRandomValues(new Uint32Array(3)).join("");
  sessionStorage.setItem(MINE, known);
  return known;
}

class App {
  constructor() {
    this.parts = Object.fromEntries(["bar", "views", "files", "told", "below", "standing", "playing", "table", "dialog", "announce", "welcome", "grid", "writing"].map((id) => [id, document.getElementById(id)]));
    this.settings = settings.load();
    settings.apply(this.settings);
    this.line = "off";
    this.page = pageName();
    this.games = [];
    this.shipped = [];
    this.game = null; // {game, title, writable, files: [{file, uri}]}
    this.open = new Map(); // name -> {file, uri, state, saved, digest, dirty, told}
    this.now = null; // the entry that is shown
    this.findings = new Map(); // uri -> diagnostics
    this.live = null;
    this.cases = new Map(); // by name, as they went last
    this.trace = null;
    this.asked = null; // what is asked in the dialog
    this.panel = "findings";
    this.asTable = true; // whether a file of values is shown as a table
    this.wire = new Wire({
      path: "/studio",
      hello: () => ({ token: token(), page: this.page }),
      hears: (message) => this[`on_${message.type}`]?.(message),
      changed: (line, code) => this.lineIs(line, code),
    });
    this.language = new Language({
      send: (text) => this.wire.send({ type: "lsp", text }),
      found: (uri, list) => this.found(uri, list),
      display: (uri) => this.display(uri),
      hidden: (uri, update) => this.changeHidden(uri, update),
      whole: () => this.readAll(),
    });
    this.editor = new Editor(document.getElementById("editor"), {
      typed: (update) => this.typed(update),
      keys: [{ key: "Mod-s", run: () => this.save() || true, preventDefault: true }],
    });
    this.steps = new Steps({ text: (one) => this.text(one), undo: (one) => this.step("undo", one), redo: (one) => this.step("redo", one) });
    this.pointing = new Pointing(this.parts.table, this);
    this.parts.files.addEventListener("keydown", walk);
    this.parts.dialog.addEventListener("close", () => this.askFor(null));
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeunload", (event) => this.pending.length && event.preventDefault());
    addEventListener("hashchange", () => location.reload());
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.wire.hurry());
    this.redraw();
  }

  // --- what the server says ------------------------------------------------------------------------------------------
  lineIs(line, code) {
    Object.assign(this, { line, code });
    this.redraw();
  }

  async on_welcome({ games, shipped, start, whole, folder }) {
    Object.assign(this, { games, shipped, whole, folder });
    this.language.connect();
    const again = this.game?.game ?? start;
    if (!again) return this.redraw();
    const files = [...this.open.values()];
    await this.openGame(again, this.now?.file);
    for (const one of files) if (one.dirty) this.keep(one); // the server may have died meanwhile
  }

  on_lsp({ text }) {
    this.language.hear(text);
  }

  on_table(message) {
    const before = this.live?.link;
    this.live = message;
    if (message.link && message.link !== before) this.parts.table.src = pageOf(message.link);
    this.redraw();
  }

  on_games({ games, whole }) {
    Object.assign(this, { games, whole });
    this.redraw();
  }

  on_cases({ cases }) {
    const before = this.cases;
    this.cases = new Map(cases.map((one) => [one.case, { ...one, passed: one.faulty ? false : before.get(one.case)?.passed, message: before.get(one.case)?.message }]));
    this.redraw();
  }

  on_ran({ results }) {
    for (const one of results) {
      const known = this.cases.get(one.case);
      if (known?.passed && !one.passed) this.announce(`The case ${one.case} fails: ${one.message}`);
      if (known) Object.assign(known, one);
    }
    if (this.trace && results.some((one) => one.case === this.trace.case)) this.readTrace(this.trace.case);
    this.redraw();
  }

  // Another page has saved a file, or something else has changed it.
  async on_changed({ game, file, digest }) {
    if (game !== this.game?.game) return;
    const one = this.open.get(file);
    if (!this.game.files.some((known) => known.file === file)) await this.relist();
    if (!one || one.digest === digest) return;
    const reply = await this.wire.ask({ type: "read", file });
    if (reply.type !== "file") return;
    if (one.dirty) one.told = { what: "conflict", text: reply.text, digest: reply.digest };
    else this.became(one, reply.text, reply.digest);
    this.redraw();
  }

  // --- the table and the cases -----------------------------------------------------------------------------------------
  deal(changes) {
    this.wire.ask({ type: "deal", players: this.live?.players, people: this.live?.people ?? "one", ...changes });
  }

  async showTrace(name) {
    await this.readTrace(name);
    this.look("trace");
  }

  async readTrace(name) {
    const reply = await this.wire.ask({ type: "trace", case: name });
    if (reply.type !== "trace") return this.say(reply.why);
    this.trace = reply;
    this.redraw();
  }

  async askForCase() {
    const reply = await this.wire.ask({ type: "played" });
    if (reply.type !== "played") return this.say(reply.why);
    const mine = reply.answers.findLastIndex((one) => one.by === this.live.seat);
    const last = mine < 0 ? reply.answers.findLastIndex((one) => one.by !== "chance") : mine;
    if (last < 0) return this.say("Nothing was answered yet: play first");
    this.askFor({ what: "case", answers: reply.answers, first: String(last) });
  }

  async makeCase() {
    const { first, answers } = this.asked;
    const name = this.value("name");
    this.askFor({ ...this.asked, busy: true });
    if (!(await this.saveAll())) return this.askFor({ ...this.asked, busy: false, why: "The files cannot be saved: see above" });
    const reply = await this.wire.ask({ type: "case", name, first: Number(first) });
    if (reply.type !== "cased") return this.askFor({ what: "case", answers, first, why: reply.why });
    this.askFor(null);
    await this.relist();
    this.look("cases");
    this.announce(`The case ${name} is written`);
  }

  async make() {
    const { kind, of } = this.asked;
    if (kind === "file") return this.makeFile(this.value("name"));
    const reply = await this.wire.ask({ type: "make", what: kind, name: this.value("name"), title: this.value("title"), of });
    if (reply.type !== "made") return this.askFor({ ...this.asked, why: reply.why });
    this.askFor(null);
    await this.openGame(reply.game, reply.file);
    this.editor.view.focus();
  }

  async makeFile(file) {
    const reply = await this.wire.ask({ type: "save", file, before: "", text: "" });
    if (reply.type !== "saved") return this.askFor({ ...this.asked, why: reply.type === "conflict" ? "There is such a file" : reply.why });
    this.askFor(null);
    await this.relist();
    await this.show(file);
    this.editor.view.focus();
  }

  value(name) {
    return this.parts.dialog.querySelector(`[name="${name}"]`).value.trim();
  }

  askFor(what) {
    if (!what && !this.asked) return;
    this.asked = what;
    draw(this.parts.dialog, dialog(this) ?? []);
    if (what && !this.parts.dialog.open) this.parts.dialog.showModal();
    if (!what && this.parts.dialog.open) this.parts.dialog.close();
  }

  // --- games and files -------------------------------------------------------------------------------------------------
  async openGame(name, file) {
    if (name !== this.game?.game) {
      for (const one of this.pending) await this.keep(one); // it belongs to the game that is open still
      this.live = this.trace = null;
      this.cases = new Map();
    }
    const reply = await this.wire.ask({ type: "open", game: name });
    if (reply.type !== "game") return this.say(reply.why ?? "It cannot be opened");
    const other = this.game?.game !== reply.game;
    this.game = reply;
    if (other) {
      this.language.files.forget();
      this.open.clear();
      this.steps.forget();
      this.findings.clear();
      this.now = null;
    }
    document.title = `${reply.title} – Studio`;
    const wanted = reply.files.some((one) => one.file === file) ? file : reply.files[0].file;
    await this.show(wanted);
  }

  // Look which files there are now.
  async relist() {
    const reply = await this.wire.ask({ type: "files" });
    if (reply.type === "game" && reply.game === this.game?.game) this.game = reply;
    this.redraw();
  }

  async show(name) {
    let one = this.open.get(name);
    if (!one) {
      const reply = await this.wire.ask({ type: "read", file: name });
      if (reply.type !== "file") return this.say(reply.why ?? "It cannot be read");
      one = this.open.get(name) ?? this.entry(reply);
    }
    if (this.now === one) return one;
    this.language.client.connected && this.language.client.sync();
    if (this.now) this.now.state = this.editor.view.state;
    this.now = one;
    this.editor.show(one.state);
    if (one.draft !== undefined) {
      this.editor.replace(one.draft);
      delete one.draft;
    }
    this.wire.send({ type: "look", id: "look", file: name });
    this.redraw();
    return one;
  }

  entry({ file, uri, text, digest, draft }) {
    const language = /\.ya?ml$/.test(file) ? this.language.of(uri) : [];
    const one = { file, uri, saved: text, digest, dirty: false, told: null, state: this.editor.state(text, language, !this.game.writable) };
    if (draft && this.game.writable) {
      one.draft = draft.text;
      one.told = draft.before === digest ? { what: "draft" } : { what: "conflict", text, digest };
      if (draft.before !== digest) one.digest = draft.before;
    }
    this.open.set(file, one);
    return one;
  }

  async display(uri) {
    const known = this.game?.files.find((one) => one.uri === uri);
    const one = known && (await this.show(known.file));
    return one ? this.editor.view : null;
  }

  async go(name, line, column) {
    if (!(await this.show(name))) return;
    this.showing("text");
    this.editor.go(line, column);
  }

  // The place that the server names, which may be in a file of another game.
  async goTo(file, line, column) {
    if (this.game.files.some((one) => one.file === file)) return this.go(file, line, column);
    this.say(`That is in ${file}, line ${line}`);
  }

  // --- typing and saving -------------------------------------------------------------------------------------------------
  typed(update) {
    const shown = this.now && update.state === this.editor.view.state;
    if (shown && (update.selectionSet || update.docChanged)) this.pointing.moved(this.now.file, update.state.doc.lineAt(update.state.selection.main.head).number);
    if (!update.docChanged || !this.now || update.state !== this.editor.view.state) return;
    const by = (event) => update.transactions.some((one) => one.isUserEvent(event));
    if (["input", "delete", "move", "format", "rename"].some(by)) this.steps.changed(this.now, update.startState.doc.toString(), by("rename"));
    this.edited(this.now);
  }

  tabled(asTable) {
    this.asTable = asTable;
    this.redraw();
  }

  // A cell of the table is another one: the text follows.
  celled(change) {
    this.editor.view.dispatch({ changes: change, userEvent: "input.cell" });
    this.redraw();
  }

  edited(one) {
    const dirty = this.text(one) !== one.saved;
    const redraws = dirty !== one.dirty || this.steps.done.length < 2;
    Object.assign(one, { dirty, pending: true });
    clearTimeout(one.timer);
    one.timer = setTimeout(() => this.keep(one), SOON);
    if (redraws) this.redraw();
  }

  // --- files that are not shown, and undoing in all of them ----------------------------------------------------------------
  async readAll() {
    for (const { file } of this.game?.files ?? []) {
      if (this.open.has(file) || !/\.ya?ml$/.test(file)) continue;
      const reply = await this.wire.ask({ type: "read", file });
      if (reply.type === "file" && !this.open.has(file)) this.entry(reply);
    }
    for (const one of this.open.values()) if (one !== this.now && /\.ya?ml$/.test(one.file)) this.language.files.behind(one.uri, one.state.doc);
  }

  changeHidden(uri, update) {
    const one = [...this.open.values()].find((known) => known.uri === uri);
    if (!one || !this.game.writable) return;
    this.steps.changed(one, this.text(one), true);
    this.stateOf(one, one.state.update(update).state);
  }

  // Another state of a file that is not shown.
  stateOf(one, state) {
    one.state = state;
    this.language.files.behind(one.uri, state.doc);
    this.edited(one);
  }

  step(what, one) {
    if (this.now === one) return this.editor.step(what);
    const state = stepped(what, one.state);
    if (state) this.stateOf(one, state);
    return Boolean(state);
  }

  async undoAll(back = true) {
    const changed = back ? this.steps.back() : this.steps.forth();
    if (!changed.length) this.say(back ? "There is nothing to undo" : "There is nothing to do again");
    else if (!changed.includes(this.now)) await this.show(changed[0].file);
    this.announce(`Changed again: ${changed.map((one) => one.file).join(", ")}`);
    this.redraw();
  }

  // The texts that the server does not have as they stand.
  get pending() {
    return [...this.open.values()].filter((one) => one.pending);
  }

  text(one) {
    return (this.now === one ? this.editor.view.state : one.state).doc.toString();
  }

  // Let the server keep what is not saved of a file.
  async keep(one) {
    clearTimeout(one.timer);
    const text = this.text(one);
    if (this.now === one && this.language.client.connected) this.language.client.sync(); // so that it is read once, for findings and the table
    const message = one.dirty ? { type: "draft", file: one.file, before: one.digest, text } : { type: "undraft", file: one.file };
    const reply = await this.wire.ask(message);
    if (reply.type === "ok") one.pending = this.text(one) !== text;
    else this.say(reply.why ?? "It is not kept");
  }

  async save(one = this.now) {
    if (!one?.dirty || one.saving) return !one?.dirty;
    clearTimeout(one.timer);
    one.saving = true;
    const text = this.text(one);
    const reply = await this.wire.ask({ type: "save", file: one.file, before: one.digest, text });
    one.saving = false;
    if (reply.type === "saved") {
      Object.assign(one, { saved: text, digest: reply.digest, told: null });
      one.dirty = this.text(one) !== text;
      one.pending = one.dirty;
      this.announce(`${one.file} is saved`);
      if (one.dirty) this.keep(one);
    } else if (reply.type === "conflict") one.told = { what: "conflict", text: reply.text, digest: reply.digest };
    else this.say(reply.why ?? "It is not saved");
    this.redraw();
    return reply.type === "saved";
  }

  async saveAll() {
    for (const one of this.open.values()) if (one.dirty && !(await this.save(one))) return false;
    return true;
  }

  // The file on the disk is another one by now: mine takes its place with the next saving, or it takes the place of mine.
  settle(one, mine) {
    const { text, digest } = one.told;
    one.told = null;
    if (mine) {
      Object.assign(one, { saved: text, digest });
      this.save(one);
    } else this.became(one, text, digest);
    this.redraw();
  }

  became(one, text, digest) {
    Object.assign(one, { saved: text, digest });
    if (this.now === one) this.editor.replace(text);
    else {
      one.state = one.state.update({ changes: { from: 0, to: one.state.doc.length, insert: text } }).state;
      if (this.language.files.getFile(one.uri)) this.language.files.behind(one.uri, one.state.doc);
    }
    one.dirty = false;
    this.keep(one);
  }

  // --- looking ---------------------------------------------------------------------------------------------------------
  found(uri, list) {
    if (list.length) this.findings.set(uri, list);
    else this.findings.delete(uri);
    this.redraw();
  }

  look(panel) {
    this.panel = panel;
    this.redraw();
  }

  dismiss(one) {
    one.told = null;
    this.redraw();
  }

  key(event) {
    if ((event.ctrlKey || event.metaKey) && event.altKey && event.code === "KeyZ") {
      event.preventDefault();
      this.undoAll(!event.shiftKey);
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      this.save();
    }
  }

  showing(what) {
    document.body.dataset.show = what;
    this.redraw();
  }

  setting(name, value) {
    this.settings = { ...this.settings, [name]: value };
    settings.save(this.settings);
    settings.apply(this.settings);
    const inner = this.parts.table.contentDocument?.documentElement;
    if (inner && name === "theme") value ? (inner.dataset.theme = value) : delete inner.dataset.theme;
    this.redraw();
  }

  say(text) {
    this.note = text;
    this.announce(text);
    this.redraw();
  }

  announce(text) {
    this.parts.announce.textContent = text;
  }

  redraw() {
    if (this.drawing) return;
    this.drawing = true;
    queueMicrotask(() => {
      this.drawing = false;
      draw(this.parts.bar, bar(this));
      draw(this.parts.views, views(this));
      draw(this.parts.files, filesOf(this));
      draw(this.parts.told, told(this));
      draw(this.parts.welcome, welcome(this));
      const values = Boolean(this.now?.file.endsWith(".csv"));
      this.parts.writing.classList.toggle("tabled", values && this.asTable);
      draw(this.parts.grid, values ? grid(this, this.text(this.now)) : []);
      draw(this.parts.below, below(this));
      draw(this.parts.standing, standing(this));
      this.parts.playing.classList.toggle("stale", Boolean(this.live && !this.live.good));
    });
  }
}

new App();
