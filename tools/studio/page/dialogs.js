// What is asked in a window of its own: a new game or variant, and a case of what was just played.
import { h } from "../page/dom.js";

const TEMPLATES = { blank: "Two choices", card: "Tricks with cards", board: "Stones on cells", map: "Roads on a map" };
const WHATS = { template: "A new game", copy: "A copy of a game", variant: "A variant of a game", file: "A file of this game" };

export function dialog(app) {
  const asked = app.asked;
  return asked && { make: making, case: casing }[asked.what](app, asked);
}

function form(app, asked, label, parts, does) {
  return h("form", { "aria-label": label, onsubmit: (event) => { event.preventDefault(); does(); } }, h("h2", {}, label), parts, asked.why ? h("p", { class: "why", role: "alert" }, asked.why) : null,
    h("div", { class: "opts" }, h("button", { type: "button", class: "tool", onclick: () => app.askFor(null) }, "Not now"), h("button", { type: "submit", class: "primary", disabled: asked.busy }, asked.go)));
}

const field = (label, ...inner) => h("label", {}, h("span", {}, label), inner);

function select(name, value, options, onchange) {
  return h("select", { name, value, onchange: (event) => onchange(event.target.value) }, Object.entries(options).map(([key, label]) => h("option", { key, value: key, selected: key === value }, label)));
}

function making(app, asked) {
  const kinds = Object.fromEntries(Object.entries(WHATS).filter(([what]) => (what === "file" ? app.game?.writable : !app.whole || what === "variant")));
  const games = Object.fromEntries([...app.games, ...app.shipped].map((one) => [one.game, one.title]));
  const own = app.whole ? Object.fromEntries(app.games.map((one) => [one.game, one.title])) : games;
  const of = asked.kind === "template" ? field("To begin with", select("of", asked.of, TEMPLATES, (of) => app.askFor({ ...asked, of }))) : field("Of which game", select("of", asked.of, asked.kind === "variant" ? own : games, (of) => app.askFor({ ...asked, of })));
  return form(app, { ...asked, go: "Make it" }, "New", [
    field("What", select("what", asked.kind, kinds, (kind) => app.askFor({ ...asked, kind, of: kind === "template" ? "blank" : (app.game?.game ?? Object.keys(games)[0]) }))),
    asked.kind === "file" ? null : of,
    field(asked.kind === "file" ? "Its name, as in cases/more.yaml or cards.csv" : "Its id: small letters, digits and _", h("input", { name: "name", required: true, autocomplete: "off", spellcheck: "false" })),
    asked.kind === "file" ? null : field("Its name for people", h("input", { name: "title", autocomplete: "off" })),
  ], () => app.make());
}

function casing(app, asked) {
  const answers = asked.answers.map((one, number) => [number, one]).filter(([, one]) => one.by !== "chance");
  const options = Object.fromEntries(answers.map(([number, one]) => [number, `${number + 1}. ${one.by}: ${one.answer}`]).reverse());
  return form(app, { ...asked, go: "Write it" }, "A case of what was just played", [
    field("The first answer of it; all that come after it belong to it", select("first", asked.first, options, (first) => app.askFor({ ...asked, first }))),
    field("Its name: letters, digits and _", h("input", { name: "name", required: true, autocomplete: "off", spellcheck: "false" })),
    h("p", { class: "dim" }, "All files are saved, and the case is written below the others."),
  ], () => app.makeCase());
}
