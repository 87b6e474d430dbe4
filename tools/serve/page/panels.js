// What stands over the table or beside it for a while: cards seen closely, zones opened, verbs, the keys, settings, the end.
import { book } from "./book.js";
import { h, names } from "./dom.js";
import { sign, signOf, symbolOf } from "./icons.js";
import { KEYS } from "./keys.js";
import { table as grid } from "./log.js";
import { heldBy, ofSeat, textOf, there, told } from "./model.js";
import { address } from "./socket.js";
import { held, spread, zoneLabel } from "./zones.js";

const close = (pen) => h("button", { type: "button", class: "tool close", "aria-label": "Close", onclick: () => pen.dialog(null) }, "✕");

export function dialog(pen, { what, ...more }) {
  switch (what) {
    case "thing":
      return thing(pen, more);
    case "zone":
      return opened(pen, more.id);
    case "verbs":
      return verbs(pen, more);
    case "keys":
      return { label: "Keys", body: [close(pen), h("h2", {}, "Keys"), h("dl", { class: "keys" }, KEYS.map(([key, does]) => [h("dt", { key }, h("kbd", {}, key)), h("dd", { key: does }, does)]))] };
    case "rules":
      return rules(pen, more);
    case "settings":
      return settings(pen);
    case "links":
      return links(pen);
    case "case":
      return caseOf(pen);
  }
  return null;
}

// A thing as large as it gets, with all that is said of it.
function thing(pen, { thing: id, spot, written }) {
  const face = pen.table.face(id);
  const means = pen.table.meaning(id, spot ?? null);
  const facts = [...told(face), ...there(pen.table.view, id), ...ofSeat(pen.table.view, id)];
  const named = facts.filter(([name]) => name);
  const title = face.label;
  const holds = heldBy(pen.table.view, id);
  const acts = [];
  if (means.options) for (const option of means.options) acts.push(h("button", { key: option.action, type: "button", class: "answer primary", onclick: () => (pen.dialog(null), pen.choose(option)) }, textOf(option)));
  for (const verb of means.verbs ?? []) acts.push(verbButton(pen, verb));
  return {
    label: title,
    class: "closely",
    body: [
      close(pen),
      h("div", { class: names("face", face.colour && `c-${face.colour}`) },
        h("h2", {}, face.corner ? h("span", { class: "corner" }, face.corner) : null, title),
        face.suit || face.symbol ? h("p", { class: "symbol" }, sign(signOf(face), "ic art"), face.suit ? sign(symbolOf(face)) : null) : null,
        [...(face.lines ?? []), ...facts.filter(([name]) => !name).map(([, text]) => text)].map((line, n) => h("p", { key: `line ${n}`, class: "line" }, line)),
        named.length ? h("dl", {}, named.map(([name, text], n) => [h("dt", { key: `${n}` }, name), h("dd", { key: `${n}:` }, text)])) : null,
      ),
      holds.length ? h("div", { class: "at" }, holds.map((hold) => (typeof hold === "string" ? h("div", { key: hold }, h("small", {}, zoneLabel(pen, pen.table.zone(hold))), held(pen, hold) ?? "–") : held(pen, hold)))) : null,
      lies(pen, id),
      written ? about(written) : null,
      means.state === "no" ? h("p", { class: "note" }, means.why) : null,
      acts.length ? h("div", { class: "opts" }, acts) : null,
    ],
  };
}

// What is written of a thing: what the game says of it, what it does in words, and the paragraphs that this and the question rest on.
function about({ about: said = [], effects = [], cites = [], rests = [] }) {
  const paragraphs = (title, list) => (list.length ? [h("h3", { key: title }, title), h("dl", { key: `${title}:`, class: "cites" }, list.map(({ id, text }) => [h("dt", { key: id }, id), h("dd", { key: `${id}:` }, text)]))] : null);
  return h(
    "div",
    { class: "written" },
    said.map((text) => h("p", { key: text }, text)),
    effects.length ? h("h3", {}, "What it does") : null,
    effects.map(({ when, does }, n) => h("div", { key: n, class: "effect" }, when ? h("p", { class: "when" }, when) : null, h("ul", {}, does.map((line, m) => h("li", { key: m }, line))))),
    paragraphs("In the rules", cites),
    paragraphs("What the question rests on", rests),
  );
}

// Where a thing lies, if it is seen to.
function lies(pen, id) {
  const where = Object.entries(pen.table.zones).filter(([, zone]) => zone.items?.includes(id) || zone.bag?.some((one) => one.thing === id));
  if (!where.length) return null;
  const at = (zone) => (pen.table.seats.get(zone.at)?.label ?? pen.table.things[zone.at]?.label ?? "");
  return h("p", { class: "where" }, "Lies in: ", where.map(([, zone]) => names(zoneLabel(pen, zone), at(zone) && `(${at(zone)})`)).join("; "));
}

const verbButton = (pen, verb) =>
  h("button", { key: verb.text, type: "button", class: names("answer", !verb.actions && "no"), "aria-disabled": verb.actions ? null : "true", onclick: () => verb.actions && (pen.dialog(null), pen.answer(verb.actions)) }, h("span", {}, verb.text), verb.why ? h("small", {}, verb.why) : null);

// What can be done with a thing, at that thing.
function verbs(pen, { thing: id, spot, at }) {
  const means = pen.table.meaning(id, spot ?? null);
  const face = pen.table.face(id);
  const options = (means.options ?? []).map((option) => h("button", { key: option.action, type: "button", class: "answer", onclick: () => (pen.dialog(null), pen.choose(option)) }, textOf(option)));
  return { label: face.label, class: "menu", at, body: [h("h2", {}, face.label), options, (means.verbs ?? []).map((verb) => verbButton(pen, verb)), h("button", { type: "button", class: "tool", onclick: () => pen.inspect(id, spot) }, "Look closely")] };
}

// A zone with all that lies there.
function opened(pen, id) {
  const zone = pen.table.zone(id);
  if (!zone) return null;
  const items = zone.items ?? [];
  return { label: zoneLabel(pen, zone), class: "opened", body: [close(pen), h("h2", {}, zoneLabel(pen, zone), h("small", {}, ` ${zone.count}`)), h("div", { class: "items" }, items.length ? spread(pen, id, items, items.length > 30 ? "s" : "m") : (zone.bag ?? []).map((one) => h("span", { class: "pill" }, h("b", {}, one.n), one.thing ? pen.table.face(one.thing).label : "hidden")))] };
}

// What the game says of itself, how it reads its rules, and the book that its rules make.
function rules(pen, { about: said, rulings }) {
  return {
    label: "Rules",
    class: "rules",
    body: [
      close(pen),
      h("h2", {}, pen.game.title),
      h("div", { class: "written" },
        said.map((text, n) => h("p", { key: n }, text)),
        rulings.length ? [h("h3", { key: "title" }, "How it is played here"), h("dl", { key: "list", class: "cites" }, rulings.map(([id, text]) => [h("dt", { key: id }, id), h("dd", { key: `${id}:` }, text)]))] : null,
        book(pen, pen.read)),
    ],
  };
}

function settings(pen) {
  const { settings: now } = pen;
  const choice = (name, label, values) =>
    h("fieldset", { key: name }, h("legend", {}, label), values.map(([value, text]) => h("label", { key: String(value) }, h("input", { type: "radio", name, checked: now[name] === value, onchange: () => pen.setting(name, value) }), text)));
  const yes = [[true, "on"], [false, "off"]];
  return {
    label: "Settings",
    class: "settings",
    body: [
      close(pen),
      h("h2", {}, "Settings"),
      choice("theme", "Light", [["", "as the system has it"], ["light", "light"], ["dark", "dark"]]),
      choice("motion", "Motion", yes),
      choice("sound", "A sound when it is your turn", yes),
      pen.role === "spectator" || pen.paceNow === undefined ? null : h("fieldset", {}, h("legend", {}, "Bots wait, in seconds"), [0, 0.5, 1, 2, 4].map((value) => h("label", { key: value }, h("input", { type: "radio", name: "pace", checked: pen.paceNow === value, onchange: () => pen.pace(value) }), value))),
      choice("letters", "Letters and digits are commands", yes),
      h("p", {}, h("a", { href: plain() }, "The table as headings, lists and buttons")),
      pen.role === "seat" ? h("p", {}, h("button", { type: "button", class: "tool", onclick: () => (pen.dialog(null), pen.stand()) }, "Stand up, and let a bot play")) : null,
    ],
  };
}

export const plain = () => `${location.pathname}${location.search === "?plain=1" ? "" : "?plain=1"}${location.hash}`;

// The links of a table, for its host.
function links(pen) {
  const { links: all } = pen;
  if (!all) return { label: "Links", body: [close(pen), h("p", {}, "…")] };
  const row = (label, path) => h("p", { key: path, class: "link" }, h("span", {}, label), h("input", { readonly: true, value: address(path), "aria-label": `The link of ${label}`, onfocus: (event) => event.target.select() }));
  const label = (seat) => pen.table?.label(seat) ?? seat;
  return { label: "Links", class: "links", body: [close(pen), h("h2", {}, "Links"), h("p", {}, "Each link is a seat. Give it only to its player."), Object.entries(all.seats).map(([seat, path]) => row(label(seat), path)), all.machine ? row("all at one machine", all.machine) : null, row("spectators", all.spectator)] };
}

// A case of the game, written of what is played from where it begins to where it ends; for the host, where the server writes any.
export function caseButton(pen) {
  if (!pen.cases) return null;
  const { name } = pen.cases;
  return h("button", { type: "button", class: "tool", title: name ? `The case ${name} goes on` : "Write a case of what is played", onclick: () => pen.showCase() }, name ? "Case …" : "Case");
}

function caseOf(pen) {
  const { name, text, busy } = pen.cases;
  const begins = (event) => {
    event.preventDefault();
    pen.case({ name: event.target.elements.name.value.trim() });
  };
  const steps = name
    ? h("p", { key: "end" }, h("button", { type: "button", class: "primary", disabled: busy, onclick: () => pen.case({}) }, `End the case ${name} here`))
    : h("form", { key: "begin", onsubmit: begins }, h("label", {}, "A case begins here. Its name ", h("input", { name: "name", required: true, maxlength: 80, pattern: "[A-Za-z_][A-Za-z0-9_]*", title: "Letters, digits and _, a letter first", autocomplete: "off", spellcheck: "false" })), h("button", { type: "submit", class: "primary", disabled: busy }, "Begin"));
  return {
    label: "A case",
    class: "case",
    body: [
      close(pen),
      h("h2", {}, "A case"),
      h("p", {}, "The position where it begins, what is asked, the answers until it ends and what they changed are written into the game's file of cases. It shows what is hidden, too."),
      steps,
      busy || text ? h("p", { class: "note", role: "status" }, busy ? "One moment …" : text) : null,
    ],
  };
}

// How it has ended, with the scores and why.
export function ending(pen) {
  const { view } = pen.table;
  const { outcome, winners, returns } = view.over;
  const seat = (id) => h("b", { class: "said", "data-colour": pen.table.seatColour(id) }, pen.table.label(id));
  const list = (ids) => ids.map((id, n) => [n ? (n === ids.length - 1 ? " and " : ", ") : "", seat(id)]);
  const text = { some: () => [list(winners), winners.length > 1 ? " have won" : " has won"], all: () => "You have won, all together", lost: () => "You have lost, all together", draw: () => "It is a draw" }[outcome]();
  const rows = [];
  const scores = view.seats.map((one) => new Map(one.score ?? []));
  for (const label of new Set(scores.flatMap((own) => [...own.keys()]))) rows.push({ label, cells: scores.map((own) => own.get(label) ?? "–") });
  for (const sheet of view.sheets) if (sheet.label === "score") rows.push(...sheet.rows);
  if (!rows.length && new Set(Object.values(returns)).size > 1) rows.push({ label: "Result", cells: view.seats.map((one) => String(returns[one.id])) });
  const last = view.log.flatMap((turn) => turn.lines).slice(-2);
  const won = view.you && winners.includes(view.you);
  return h(
    "section",
    { class: names("question over", won && "won"), "aria-label": "The end", "data-region": "question" },
    h("div", { class: "q" }, sign(outcome === "lost" ? "skull" : "crown", "ic art"), h("h2", { id: "prompt", tabindex: -1 }, text), h("span", { class: "spacer" }),
      pen.role === "spectator" ? null : h("button", { type: "button", class: "primary", onclick: () => pen.again() }, "Play again"),
      h("button", { type: "button", class: "tool", onclick: () => pen.walk(0) }, "Walk through it"),
      pen.role === "host" ? h("button", { type: "button", class: "tool", onclick: () => pen.record() }, "Save the record") : null,
    ),
    last.length ? h("p", { class: "last" }, last.map((line, n) => [n ? " · " : "", line.map((part) => (typeof part === "object" ? part.text : String(part))).join("")])) : null,
    rows.length ? h("div", { class: "scroll" }, grid(view, rows)) : null,
    pen.ui.note ? h("p", { class: "note", role: "status" }, pen.ui.note) : null,
  );
}

// A game that is over, step by step.
export function walking(pen) {
  const { step, steps } = pen.walking;
  const go = (text, label, to, off) => h("button", { key: label, type: "button", class: "tool", "aria-label": label, title: label, disabled: off, onclick: () => pen.walk(to) }, text);
  return h(
    "section",
    { class: "question walking", "aria-label": "The game, step by step", "data-region": "question" },
    h("div", { class: "q" }, h("h2", { id: "prompt", tabindex: -1 }, `Step ${step} of ${steps}`), h("span", { class: "spacer" }),
      go("⏮", "To the beginning (Home)", 0, step === 0), go("◀", "One step back (left)", step - 1, step === 0), go("▶", "One step on (right)", step + 1, step === steps), go("⏭", "To the end (End)", steps, step === steps),
      h("button", { type: "button", class: "primary", onclick: () => pen.walk(null) }, pen.walking.views ? "Back to the game" : "Back to the result")),
    h("input", { type: "range", class: "steps", min: 0, max: steps, value: String(step), "aria-label": "The step", onchange: (event) => pen.walk(Number(event.target.value)) }),
  );
}

// Who sits where, before it begins.
export function beginning(pen) {
  const people = pen.seatsNow;
  const state = { person: (one) => (one.here ? "is here" : "has not come yet"), bot: () => "a bot", empty: () => "free: a bot plays it if nobody comes" };
  return h(
    "section",
    { class: "question begin", "aria-label": "Before the game", "data-region": "question" },
    h("div", { class: "q" }, h("h2", { id: "prompt", tabindex: -1 }, "Who plays?"), h("span", { class: "spacer" }),
      pen.role === "host" ? h("button", { type: "button", class: "tool", onclick: () => pen.showLinks() }, "Links") : null,
      pen.role === "spectator" ? null : h("button", { type: "button", class: "primary", "data-walk": "yes", onclick: () => pen.begin() }, "Begin the game")),
    h("ul", { class: "people" }, people.map((one) => h("li", { key: one.seat }, h("b", {}, one.label), " ", state[one.by](one), one.seat === pen.view?.you ? " (you)" : "",
      pen.role === "host" ? h("button", { type: "button", class: "tool", onclick: () => pen.give(one.seat, one.by === "bot" ? "person" : "bot") }, one.by === "bot" ? "keep for a person" : "give to a bot") : null))),
    pen.ui.note ? h("p", { class: "note", role: "status" }, pen.ui.note) : null,
  );
}

// Between two people at one machine.
export function curtain(pen) {
  const label = pen.labels.get(pen.ui.curtain) ?? pen.ui.curtain;
  return h("main", { class: "curtain" }, h("h1", {}, `${label} is next`), h("p", {}, "Nobody else should look now."), h("button", { type: "button", class: "primary", "data-walk": "yes", id: "here", onclick: () => pen.here() }, `I am ${label}`));
}

// A question to who saw an answer that is to be taken back.
export function asked(pen) {
  const { ask } = pen.ui;
  if (!ask) return null;
  const label = pen.labels.get(ask.by) ?? ask.by;
  return h("div", { class: "banner", role: "alertdialog", "aria-label": "A question", key: "ask" }, h("span", {}, `${label} wants to take back the last choice.`), h("button", { type: "button", class: "primary", onclick: () => pen.agree(true) }, "Let it be"), h("button", { type: "button", class: "tool", onclick: () => pen.agree(false) }, "No"));
}

export function chat(pen) {
  if (pen.role !== "seat" || pen.seatsNow.filter((one) => one.by === "person").length < 2) return null;
  return h(
    "details",
    { class: "chat", key: "chat" },
    h("summary", {}, "Talk", pen.talk.length ? h("small", {}, ` ${pen.talk.length}`) : null),
    h("div", { class: "said-lines", role: "log", "aria-label": "What was said", tabindex: 0 }, pen.talk.slice(-40).map((one, n) => h("p", { key: n }, h("b", {}, `${pen.labels.get(one.by) ?? one.by}: `), one.text))),
    h("form", { onsubmit: (event) => (event.preventDefault(), pen.speak(event.target.elements.text)) }, h("input", { name: "text", maxlength: 300, autocomplete: "off", "aria-label": "Say something" }), h("button", { type: "submit", class: "tool" }, "Say")),
  );
}

