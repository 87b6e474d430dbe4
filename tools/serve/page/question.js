// What is asked: the prompt, the trail of stages, the answers that are buttons, what is picked of several, and why others are not legal.
import { h, names } from "./dom.js";
import { sign, signOf } from "./icons.js";
import { isNumber, joined, legal, textOf } from "./model.js";

const LISTED = 6; // answers on the table up to which they are listed as well
const TOLD = 12; // illegal ones up to which each is named
const NUMBERS = 12; // of which each is a button
const SELF = 4; // illegal buttons up to which each has its reason on it
const SIDE = 3; // reasons that are told unasked

export function question(pen) {
  const { table, ui } = pen;
  const decision = table.view.decision;
  if (!decision) return waiting(pen);
  const collected = table.collected;
  return h(
    "section",
    { class: names("question", ui.sent && "sent"), "aria-label": "The question", "aria-busy": ui.sent ? "true" : "false", "data-region": "question" },
    crumbs(pen, decision),
    h(
      "div",
      { class: "q" },
      h("h2", { id: "prompt", tabindex: -1 }, decision.prompt),
      collected ? tally(pen, collected) : null,
      h("span", { class: "tools" },
      pen.since.length > 2 ? h("button", { key: "again", type: "button", class: "tool", "aria-label": "Once more", title: "What has happened since your last choice, once more (o)", onclick: () => pen.replay() }, "↻") : null,
      h("button", { type: "button", class: "tool", disabled: !pen.canUndo, "aria-keyshortcuts": "u", title: pen.canUndo ? "Take back your last choice (u)" : "There is nothing that can be taken back: you have not chosen, or have learnt something since", onclick: () => pen.undo(1) }, "↶ Undo"),
      table.reasons().length ? h("button", { type: "button", class: "tool", "aria-pressed": ui.reasons ? "true" : "false", title: "All that is not legal, and why (?)", onclick: () => pen.toggle("reasons") }, "? Why not") : null,
      table.options.filter(legal).length > LISTED && table.options.some((option) => legal(option) && !option.button) ? h("button", { type: "button", class: "tool", "aria-pressed": ui.listed ? "true" : "false", title: "All answers as a list", onclick: () => pen.toggle("listed") }, "☰ List") : null),
    ),
    collected && table.several ? tray(pen, collected) : null,
    h("div", { class: "opts" }, answers(pen, decision), why(pen)),
    ui.typed ? h("p", { class: "typed", role: "status" }, h("span", {}, "Looking for ", h("b", {}, ui.typed), ui.match ? [": ", textOf(ui.match), " – Enter takes it"] : ": nothing is called so")) : null,
    ui.note ? h("p", { class: "note", role: "status" }, h("span", {}, ui.note)) : null,
    h("ul", { class: "unseen" }, table.options.filter((option) => !legal(option)).map((option) => h("li", { key: option.action, id: pen.whyId(option) }, option.why ?? "Not now"))),
  );
}

function waiting(pen) {
  const view = pen.table.view;
  const who = view.to_act.filter((seat) => seat !== "chance").map((seat) => h("b", { class: "said", "data-colour": pen.table.seatColour(seat) }, pen.table.label(seat)));
  const text = who.length ? ["Waiting for ", who.flatMap((one, n) => (n ? [n === who.length - 1 ? " and " : ", ", one] : [one]))] : ["The table is moving"];
  return h("section", { class: "question wait", "aria-label": "The question", "data-region": "question" }, h("h2", { id: "prompt", tabindex: -1 }, text, h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))), pen.canUndo ? h("div", { class: "opts" }, h("button", { type: "button", class: "tool", onclick: () => pen.undo(1) }, "↶ Undo")) : null, pen.ui.note ? h("p", { class: "note", role: "status" }, h("span", {}, pen.ui.note)) : null);
}

// The stages of the move that are answered; each leads back to itself.
function crumbs(pen, decision) {
  const stages = decision.stages ?? [];
  if (!stages.length) return null;
  return h("nav", { class: "crumbs", "aria-label": "This move so far" }, stages.map((stage, n) => [
    h("button", { key: n, type: "button", class: "crumb", disabled: !pen.canUndo, "aria-label": `Back to before ${stage.text}`, onclick: () => pen.undo(stages.length - n) }, stage.text),
    h("span", { key: `after ${n}`, "aria-hidden": "true" }, "›"),
  ]));
}

function tally(pen, { low, high, chosen, what }) {
  const count = pen.table.several ? pen.ui.tray?.picked.filter((action) => action !== pen.table.enough?.action).length ?? 0 : chosen.length;
  const want = low === high ? `of ${high}` : high >= 1000 ? `of ${low} or more` : low ? `of ${low} to ${high}` : `of at most ${high}`;
  return h("span", { class: "tally", "aria-live": "polite" }, `${count} ${want}`, what === "counts" ? null : what === "order" && chosen.length ? h("span", { class: "chosen" }, chosen.map((one, n) => h("span", { class: "pill", key: n }, h("b", {}, n + 1), one.text))) : null);
}

// What is picked of several: it is taken out again by pointing at it.
function tray(pen) {
  const { table, ui } = pen;
  const picked = (ui.tray?.picked ?? []).map((action) => table.options.find((option) => option.action === action)).filter((option) => option && option !== table.enough);
  const done = ui.tray?.whole || (table.enough && legal(table.enough));
  return h(
    "div",
    { class: "tray" },
    picked.length ? picked.map((option) => h("button", { key: option.action, type: "button", class: "pill pick", "aria-label": `Take out ${textOf(option)}`, onclick: () => pen.choose(option) }, textOf(option), h("span", { "aria-hidden": "true" }, " ✕"))) : h("span", { class: "none" }, "Nothing picked yet"),
    h("button", { type: "button", class: "done primary", disabled: !done, onclick: () => pen.done() }, picked.length || !table.enough ? "Done" : textOf(table.enough)),
  );
}

function art(pen, option) {
  if (option.things?.length !== 1) return null;
  const face = pen.table.face(option.things[0]);
  return [face.colour ? h("i", { class: `dot c-${face.colour}` }) : null, sign(signOf(face))];
}

function answers(pen, decision) {
  const { table, ui } = pen;
  const buttons = table.options.filter((option) => option.button && option !== table.enough);
  const placed = table.options.filter((option) => !option.button && legal(option) && !option.picked); // what is picked lies in the tray
  const lost = placed.filter((option) => !pen.drawn.has(option.action));
  const out = [];
  const numbers = buttons.filter(legal);
  const said = stepped(table) ? stepper(pen, numbers) : buttons.filter((option) => legal(option) || inPlace(table).includes(option)).map((option) => answer(pen, option, numbers.length > 1 && numbers.every((one) => /^\d+$/.test(textOf(one))) ? "number" : ""));
  if (placed.length && (placed.length <= LISTED || ui.listed)) out.push(placed.map((option) => answer(pen, option, repeats(pen, option) && !ui.listed ? "quiet told" : "quiet")));
  else if (lost.length) out.push(lost.map((option) => answer(pen, option, "quiet")));
  out.push(said); // after what lies on the table, as their numbers go on from there
  if (placed.length > LISTED && !ui.listed) {
    const how = table.several ? "Pick from" : "Point at one of";
    const type = table.several ? "type their numbers or names" : "type its number or name";
    out.push(h("span", { class: "how", key: "how" }, `${how} the ${placed.length} outlined on the table, or ${table.showNumbers ? type : type.replace(/numbers? or /, "")}`));
  }
  return decision && out;
}

// Whether an answer says no more than the thing that stands for it on the table.
const repeats = (pen, option) => pen.drawn.has(option.action) && option.things.length === 1 && pen.table.face(option.things[0]).label === textOf(option);

function answer(pen, option, kind) {
  const ok = legal(option);
  const lead = option.button && Object.values(pen.table.ahead).some((verbs) => verbs.some((verb) => verb.actions?.[0] === option.action));
  return h(
    "button",
    {
      key: option.action,
      type: "button",
      class: names("answer", kind, option.picked && "picked", !ok && "no", pen.ui.sent?.[0] === option.action && "sending"),
      "data-action": ok ? option.action : null,
      "data-walk": ok ? "yes" : "no",
      "aria-disabled": ok ? null : "true",
      "aria-describedby": ok ? null : pen.whyId(option),
      "aria-pressed": pen.table.several ? (option.picked ? "true" : "false") : null,
      title: ok ? null : option.why,
      onclick: () => (ok ? pen.choose(option) : pen.tell(option.why ?? "Not now")),
      onmouseenter: () => pen.light(option),
      onmouseleave: () => pen.light(null),
      onfocus: () => pen.light(option),
      onblur: () => pen.light(null),
    },
    ok && pen.table.showNumbers && String(option.number) !== textOf(option) ? h("kbd", { "aria-hidden": "true" }, option.number) : null,
    art(pen, option),
    h("span", {}, textOf(option)),
    ok ? null : h("small", {}, option.why ?? "not now"),
    lead ? h("small", {}, "or point at it") : null,
  );
}

// Whether the answers are numbers of which one is set and then taken: many, or how many of each.
function stepped(table) {
  const numbers = table.options.filter((option) => option.button && legal(option) && option !== table.enough);
  const many = numbers.length > NUMBERS || (numbers.length > 1 && table.collected?.what === "counts");
  return many && numbers.every(isNumber);
}

function stepper(pen, options) {
  const { table, ui } = pen;
  const low = Number(options[0].name);
  const high = Number(options.at(-1).name);
  const value = Math.min(high, Math.max(low, ui.step ?? low));
  const set = (next) => pen.set({ step: Math.min(high, Math.max(low, next)) });
  const option = options.find((one) => Number(one.name) === value);
  const kind = table.collected?.kind ? table.face(table.collected.kind).label : "";
  return [
    kind ? settled(table.collected) : null,
    h(
      "span",
      { class: "stepper", key: "stepper", role: "group", "aria-label": kind || "how many" },
      kind ? h("b", {}, kind) : null,
      h("button", { type: "button", class: "less", "aria-label": "one less", "aria-keyshortcuts": "-", disabled: value <= low, onclick: () => set(value - 1) }, "−"),
      h("input", { type: "range", min: low, max: high, value: String(value), "aria-label": "how many", oninput: (event) => set(Number(event.target.value)) }),
      h("output", {}, value),
      h("button", { type: "button", class: "more", "aria-label": "one more", "aria-keyshortcuts": "+", disabled: value >= high, onclick: () => set(value + 1) }, "+"),
      h("button", { type: "button", class: "primary", "data-action": option?.action ?? null, "data-walk": option ? "yes" : "no", disabled: !option, onclick: () => option && pen.choose(option) }, option ? `Take ${textOf(option)}` : value),
    ),
  ];
}

// How many of each there are so far; those of which there are none are not told.
function settled({ chosen }) {
  const counts = new Map();
  for (const { text } of chosen) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts.size ? h("span", { class: "settled", key: "settled" }, [...counts].map(([text, n]) => h("span", { class: "pill", key: text }, h("b", {}, n), ` ${text}`))) : null;
}

// Illegal buttons that are few enough to say themselves why.
function inPlace(table) {
  const options = table.options.filter((option) => option.button && !legal(option) && option !== table.enough);
  return options.length <= SELF ? options : [];
}

// Reasons, each with those that it is said of.
function why(pen) {
  const { table, ui } = pen;
  const own = ui.reasons ? [] : inPlace(table);
  const groups = table.reasons().map((group) => ({ ...group, options: group.options.filter((option) => !own.includes(option)) })).filter((group) => group.options.length);
  const count = groups.reduce((sum, group) => sum + group.options.length, 0);
  if (!count) return null;
  if (!ui.reasons && count > TOLD) return h("span", { class: "whyno", key: "whyno" }, `${count} others are not allowed now: ${groups.some((group) => group.options.some((option) => !option.button)) ? "point at one to read why" : "“Why not” tells the reasons"}`);
  const shown = ui.reasons ? groups : groups.slice(0, SIDE);
  return h("div", { class: names("reasons", ui.reasons && "all"), key: "reasons" }, shown.map(({ why: text, options, alone }) => {
    if (alone) return h("span", { class: "whyno", key: text }, text); // it says itself of what
    const called = joined(options.slice(0, ui.reasons ? 40 : 4).map(textOf));
    return h("span", { class: "whyno", key: text }, h("b", {}, called, options.length > 4 && !ui.reasons ? ` and ${options.length - 4} more` : ""), ": ", text);
  }));
}
