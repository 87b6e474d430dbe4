// What stands around the text and the table: the bar, the files, what is to be decided about one, how the table stands.
import { h, names } from "../page/dom.js";

const SHUT = { 4401: "This link is wrong: the studio was started anew, and printed another one.", 4429: "Too many pages of the studio are open." };
const PEOPLE = { one: "You and bots", all: "You, for all", none: "Bots alone" };
const THEMES = { "": "As the system", light: "Light", dark: "Dark" };

export function welcome(app) {
  if (app.game || app.line !== "on" || !app.games) return [];
  return h("div", { class: "welcome" }, h("h2", {}, app.games.length ? "Choose a game above, or begin one" : "There is no game here yet"), h("button", { type: "button", class: "primary", onclick: () => app.askFor({ what: "make", kind: "template", of: "blank" }) }, "Begin a game"));
}

export function bar(app) {
  const dirty = [...app.open.values()].filter((one) => one.dirty).length;
  const games = app.games.map((one) => h("option", { key: one.game, value: one.game, selected: one.game === app.game?.game }, one.title));
  const shipped = app.game && !app.game.writable ? h("option", { key: app.game.game, value: app.game.game, selected: true }, app.game.title) : null;
  return [
    h("h1", {}, "Studio"),
    h("select", { "aria-label": "The game", value: app.game?.game ?? "", onchange: (event) => app.openGame(event.target.value) }, app.game ? null : h("option", { key: "", value: "" }, "– choose –"), shipped, games),
    h("button", { type: "button", class: "tool", onclick: () => app.askFor({ what: "make", kind: app.whole ? "variant" : "template", of: app.whole ? app.games[0]?.game : "blank" }) }, "New …"),
    h("span", { class: "folder" }, app.folder ?? ""),
    h("span", { class: "spacer" }),
    app.note ? h("span", { role: "status" }, app.note) : null,
    app.line === "shut" ? h("b", { role: "alert" }, SHUT[app.code] ?? "The connection was closed.") : app.line === "off" ? h("span", { role: "status" }, "Not connected; it is tried again. What you type stays here.") : null,
    app.game && !app.game.writable ? h("span", { class: "badge" }, "only to read") : null,
    h("button", { type: "button", class: "tool", disabled: !app.steps?.done.length, title: "Undo the last change in any file (Ctrl-Alt-Z)", "aria-label": "Undo in all files", onclick: () => app.undoAll() }, "↶"),
    h("button", { type: "button", class: "tool", disabled: !app.steps?.undone.length, title: "Do it again (Ctrl-Alt-Shift-Z)", "aria-label": "Do again in all files", onclick: () => app.undoAll(false) }, "↷"),
    h("button", { type: "button", class: names("tool", "save"), disabled: !dirty, title: "Save (Ctrl-S)", onclick: () => app.saveAll() }, dirty > 1 ? `Save ${dirty} files` : "Save"),
    h("select", { "aria-label": "Colours", onchange: (event) => app.setting("theme", event.target.value) }, Object.entries(THEMES).map(([value, label]) => h("option", { key: value, value, selected: app.settings.theme === value }, label))),
  ];
}

export function views(app) {
  const now = document.body.dataset.show;
  const wrong = [...app.findings.values()].flat().length;
  const all = { text: "Text", table: app.live && !app.live.good ? "Table !" : "Table", below: wrong ? `Findings ${wrong}` : "Findings" };
  return Object.entries(all).map(([what, label]) => h("button", { type: "button", key: what, "aria-pressed": what === now ? "true" : "false", onclick: () => app.showing(what) }, label));
}

export function filesOf(app) {
  return (app.game?.files ?? []).map(({ file, uri }, number) => {
    const one = app.open.get(file);
    const errors = (app.findings.get(uri) ?? []).filter((finding) => finding.severity === 1).length;
    return h(
      "button",
      { type: "button", role: "tab", key: file, tabindex: (app.now ? app.now.file === file : !number) ? 0 : -1, "aria-selected": app.now?.file === file ? "true" : "false", onclick: () => app.show(file).then(() => app.editor.view.focus()) },
      file,
      errors ? h("span", { class: "wrong", title: "errors" }, errors) : null,
      one?.dirty ? h("span", { class: "dirty", title: "not saved" }, "●") : null,
    );
  });
}

export function told(app) {
  const one = app.now;
  if (!one?.told) return [];
  const button = (text, does) => h("button", { type: "button", class: "tool", onclick: does }, text);
  if (one.told.what === "draft") return [h("span", {}, "This was typed and not saved before."), button("Good", () => app.dismiss(one)), button("Throw it away", () => app.became(one, one.saved, one.digest))];
  return [h("span", {}, "The file has changed meanwhile: nothing is overwritten."), button("Keep mine, and save it", () => app.settle(one, true)), button("Take the file as it is", () => app.settle(one, false))];
}

export function standing(app) {
  const live = app.live;
  if (!live) return [];
  const choose = (label, value, options, does) => h("label", {}, h("span", { class: "unseen" }, label), h("select", { "aria-label": label, value, onchange: (event) => does(event.target.value) }, Object.entries(options).map(([key, text]) => h("option", { key, value: key, selected: key === String(value) }, text))));
  const counts = Object.fromEntries((live.counts ?? []).map((count) => [count, `${count} players`]));
  const why = live.good ? live.note || "The table is the game as the text stands." : `${live.link ? "The table stays as it was. " : ""}${live.text}`;
  return h(
    "div",
    { class: names("standing", !live.good && "bad"), role: "status" },
    h("span", { class: "why" }, why),
    live.counts?.length > 1 ? choose("How many play", live.players, counts, (players) => app.deal({ players: Number(players) })) : null,
    live.people ? choose("Who plays", live.people, PEOPLE, (people) => app.deal({ people })) : null,
    live.link ? h("button", { type: "button", class: "tool", title: "Begin anew", onclick: () => app.deal({}) }, "↻ Anew") : null,
    live.link ? h("button", { type: "button", class: "tool", "aria-pressed": app.pointing.on ? "true" : "false", title: "Point at something on the table: the line that made it is shown. Alt and a click do so at once, Alt and Enter for what is in focus.", onclick: () => app.pointing.toggle() }, "Where from?") : null,
    live.good && app.game?.writable ? h("button", { type: "button", class: "tool", onclick: () => app.askForCase() }, "Make a case") : null,
    live.line ? h("button", { type: "button", class: "tool", onclick: () => app.goTo(live.file, live.line, live.column) }, `Line ${live.line}`) : null,
  );
}
