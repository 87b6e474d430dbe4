// Zones: what lies somewhere, drawn as hands, rows, piles, decks; and what is tucked under a piece.
import { h, names } from "./dom.js";
import { back, card, chip, counter } from "./pieces.js";

const TRAIL = 4; // cards of a pile that are seen
const MANY = 24; // cards of a row beyond which it is drawn small

export const answers = (pen, id) => {
  const zone = pen.table.zone(id);
  return (zone.items ?? []).concat((zone.bag ?? []).map((one) => one.thing)).some((thing) => thing && ["legal", "ahead", "picked"].includes(pen.table.meaning(thing, id).state));
};

// What a zone is called, with what it is counted by besides that at which it lies.
export function zoneLabel(pen, zone) {
  const index = (zone.index ?? []).filter((one) => one !== zone.at).map((one) => pen.table.face(one).label).join(" ");
  return names(zone.label, index);
}

// A zone with its name. `tight`: where there is little room, an empty zone is left out.
export function zone(pen, id, size = "m", { tight = false, title = true } = {}) {
  const one = pen.table.zone(id);
  if (!one) return null;
  const change = pen.table.changes.counts?.[id];
  if (tight && !one.count && !change) return null;
  const closed = ["deck", "backs", "count", "stack", "pile", "closed", "bag"].includes(one.form);
  const delta = change && closed ? h("span", { class: "delta", "aria-label": `${change > 0 ? "more" : "fewer"} by ${Math.abs(change)}` }, change > 0 ? `+${change}` : `−${-change}`) : null;
  const label = zoneLabel(pen, one);
  const head = title ? h("span", { class: "zl" }, label, delta) : null;
  return h("div", { key: id, class: `zone f-${one.form}`, role: "group", "aria-label": `${label}, ${one.count}`, "data-zone": id }, head, h("div", { class: "items" }, contents(pen, id, one, size)));
}

const USED = new WeakMap(); // of who draws: the zones in which something has lain

// An empty place on the table is as large as what has lain there; where nothing has, it is small.
function empty(pen, id, size) {
  return h("span", { class: names("card slot", USED.get(pen)?.has(id) ? size : "s"), "aria-hidden": "true" });
}

function contents(pen, id, one, size) {
  const items = one.items ?? [];
  if (one.count) {
    if (!USED.has(pen)) USED.set(pen, new Set());
    USED.get(pen).add(id);
  }
  const open = answers(pen, id);
  switch (one.form) {
    case "bag":
      return one.bag?.length ? one.bag.map((entry) => chip(pen, entry.thing, entry.n, id)) : items.length ? counted(pen, id, items) : none();
    case "count":
      return items.length ? counted(pen, id, items) : one.count ? h("span", { class: "pill" }, h("b", {}, one.count)) : none();
    case "deck":
      return one.count ? deck(pen, id, one, size) : empty(pen, id, "s");
    case "backs":
      return [h("span", { class: "fan", "aria-hidden": "true" }, Array.from({ length: Math.min(one.count, 6) }, (_, n) => back("s", null, n))), h("b", { class: "n" }, one.count), known(pen, id)];
    case "closed":
      if (!open) return one.count ? opener(pen, id, one, "") : none();
      break;
    case "stack":
      if (!open && items.length) return [h("span", { class: names("deck", thick(one.count)) }, card(pen, items.at(-1), id, size)), opener(pen, id, one, "all")];
      break;
    case "pile":
      if (open) break;
      if (!one.count) return empty(pen, id, size);
      if (!items.length) return deck(pen, id, one, size);
      return [
        h("span", { class: "trail" }, items.slice(-TRAIL).map((item, n) => (item === null ? back(size, null, `back ${n}`) : card(pen, item, id, size)))),
        items.length > TRAIL ? opener(pen, id, one, "in all") : null,
      ];
  }
  if (!one.count) return one.at === "table" || one.at === "centre" ? empty(pen, id, size) : none();
  if (!items.length) return h("span", { class: "fan", "aria-hidden": "true" }, back("s", one.count));
  return spread(pen, id, items, items.length > MANY && size !== "s" ? "s" : size);
}

const none = () => h("span", { class: "none" }, "–");
const thick = (count) => (count > 16 ? "d3" : count > 3 ? "d2" : "d1");

// The cards of a zone side by side, with what is tucked under them.
export function spread(pen, id, items, size) {
  const seen = new Map();
  let backs = 0;
  return items.map((item) => {
    if (item === null) return back(size, null, `back ${backs++}`);
    const copy = seen.get(item) ?? 0;
    seen.set(item, copy + 1);
    const key = copy ? `${item} ${copy}` : item;
    const under = tucked(pen, item);
    return under ? h("span", { key, class: "holder" }, card(pen, item, id, size), under) : card(pen, item, id, size, key);
  });
}

// Equal pieces as one with their number.
function counted(pen, id, items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([item, n]) => chip(pen, item, n, id));
}

function deck(pen, id, one, size) {
  if (size === "s") return [back("t"), h("b", { class: "n" }, one.count), known(pen, id)];
  return [h("span", { class: names("deck", thick(one.count)) }, back(size, one.count)), known(pen, id)];
}

// Cards that lie hidden here and that the seat knows.
function known(pen, id) {
  const things = pen.table.known.get(id);
  if (!things) return null;
  return h("span", { class: "known" }, h("small", {}, "you know"), things.map((thing) => card(pen, thing, null, "s", `known ${thing}`)));
}

// The button that opens a zone.
function opener(pen, id, one, words) {
  return h("button", { type: "button", key: "open", class: "opener", "aria-label": `Look through ${zoneLabel(pen, one)}, ${one.count}`, onclick: () => pen.open(id) }, h("b", {}, one.count), words && ` ${words}`, h("span", { "aria-hidden": "true" }, " ▸"));
}

// What lies at a piece, wherever that lies.
export function tucked(pen, thing) {
  const holds = pen.table.attached[thing];
  if (!holds?.length) return null;
  return h("span", { class: "tucked" }, holds.map((hold) => held(pen, hold)));
}

// A zone or counter that lies at something, without its name.
export function held(pen, hold) {
  if (typeof hold !== "string") return counter(pen, hold);
  const one = pen.table.zone(hold);
  if (one.bag) return one.bag.map((entry) => chip(pen, entry.thing, entry.n, hold, `${hold} ${entry.thing}`));
  if (one.form === "count") return counted(pen, hold, one.items ?? []);
  if (!one.items?.length) return one.count ? back("s", one.count, hold) : null;
  return spread(pen, hold, one.items, "s");
}
