// Things: cards, tokens, chips and coins, and what is counted. A thing is a button: it answers the question, or shows itself.
import { h, names } from "./dom.js";
import { drawn, sign, signOf, symbolOf } from "./icons.js";
import { titleOf } from "./model.js";

const LONG = 26; // letters of small print for which a card is wide

// The attributes by which a thing answers in a place, and what stands on it for that. `label` is what it is called there.
export function answering(pen, thing, spot, label) {
  const means = pen.table.meaning(thing, spot);
  const name = label ?? pen.table.face(thing).label;
  const fresh = spot !== null && pen.table.isNew(thing, spot);
  const props = {
    type: "button",
    "data-thing": thing,
    "data-walk": means.state === "legal" || means.state === "ahead" || means.state === "picked" ? "yes" : "no",
    "aria-label": `${means.label ?? name}${fresh ? ", new" : ""}`,
    onclick: (event) => pen.point(thing, spot, event.currentTarget),
  };
  if (means.option) {
    pen.drawn.add(means.option.action);
    props["data-action"] = means.option.action;
    props.onmouseenter = props.onfocus = () => pen.light(means.option);
    props.onmouseleave = props.onblur = () => pen.light(null);
  }
  if (means.state === "no") {
    props["aria-disabled"] = "true";
    if (means.option) props["aria-describedby"] = pen.whyId(means.option);
    props.title = means.why;
  }
  if (means.state === "picked" || (pen.table.several && means.state === "legal")) props["aria-pressed"] = means.state === "picked" ? "true" : "false";
  if (means.state === "ahead") props.title = means.verbs.map((verb) => verb.text).join(" / ");
  const badge = means.state === "legal" && pen.table.showNumbers ? h("kbd", { "aria-hidden": "true" }, means.option.number) : means.state === "picked" ? h("kbd", { class: "tick", "aria-hidden": "true" }, "✓") : null;
  return { props, classes: names(means.state, fresh && "new"), badge, means };
}

const dye = (colour) => (colour ? `c-${colour}` : "");

// A card. Sizes: s (at a seat, tucked), m (on the table), l (in hand), xl (alone on the table).
export function card(pen, thing, spot, size = "m", key = thing) {
  const face = pen.table.face(thing);
  const { props, classes, badge } = answering(pen, thing, spot);
  const lines = face.lines ?? [];
  const title = titleOf(face);
  const art = signOf(face);
  const corner = face.corner ?? "";
  if (size === "s" && !corner && !face.cost) {
    return h("button", { ...props, key, class: names("strip", dye(face.colour), classes) }, badge, sign(art), h("span", {}, title || face.label));
  }
  const text = lines.join(" ");
  const wide = size !== "s" && (text.length > LONG || (!corner && !art && !face.cost && title.length > 0 && lines.length > 0));
  const small = face.suit && face.symbol ? sign(symbolOf(face)) : null;
  const body = [];
  if (size === "s") {
    body.push(h("span", { class: "corner" }, corner, sign(art, "ic tiny")));
  } else if (wide) {
    body.push(h("span", { class: "head" }, corner && h("span", { class: "corner" }, corner), h("span", { class: "title" }, title || face.label), sign(art)));
    body.push(h("span", { class: "print" }, lines.map((line) => h("span", {}, line))));
    if (face.cost) body.push(cost(face));
  } else {
    if (corner || small) body.push(h("span", { class: "corner" }, corner, small ?? (art && !title && corner ? sign(art, "ic tiny") : null)));
    if (face.cost && face.colour && !title) body.push(h("i", { class: "gem" }));
    if (art) body.push(h("span", { class: "art" }, sign(art, "ic")));
    else if (corner && !title && !face.cost) body.push(h("span", { class: "art ghost", "aria-hidden": "true" }, corner));
    else if (!face.cost) body.push(h("span", { class: "art ghost", "aria-hidden": "true" }, (title || face.label).slice(0, 1).toUpperCase()));
    if (title) body.push(h("span", { class: names("title", (title.length > 20 || title.split(" ").some((word) => word.length > 9)) && "long") }, title));
    if (lines.length) body.push(h("span", { class: "sub" }, lines[0]));
    if (face.cost) body.push(cost(face));
    if (corner && !title && !face.cost) body.push(h("span", { class: "corner turned", "aria-hidden": "true" }, corner, art ? sign(art, "ic tiny") : null));
  }
  return h("button", { ...props, key, class: names("card", size, wide && "wide", dye(face.colour), classes) }, badge, body);
}

const cost = (face) =>
  h("span", { class: "cost" }, face.cost.map((one) => h("i", { class: names("pip", dye(one.colour ?? "grey")), title: `${one.n} ${one.label}` }, one.n)));

// A card face down, or many of them as one.
export function back(size = "m", count = null, key = undefined) {
  return h("span", { key, class: `card back ${size}`, "aria-hidden": "true" }, count === null ? null : h("b", {}, count));
}

// So many of one kind.
export function chip(pen, thing, n, spot, key = thing) {
  if (thing === null) return h("span", { key: "hidden", class: "pill" }, h("b", {}, n), " hidden");
  const face = pen.table.face(thing);
  const { props, classes, badge } = answering(pen, thing, spot, `${n} ${face.label}`);
  const coin = face.colour && face.form !== "card" && face.form !== "seat" && !face.symbol && face.colour !== undefined && short(face);
  if (coin) return h("button", { ...props, key, title: props.title ?? face.label, class: names("coin", dye(face.colour), classes) }, badge, n);
  return h("button", { ...props, key, class: names("pill", dye(face.colour), classes) }, badge, h("b", {}, n), sign(signOf(face)), h("span", {}, titleOf(face) || face.label));
}

// Whether a colour says all of a kind: a red gem, but no red orc.
const short = (face) => face.label.toLowerCase() === face.colour || ALSO.has(face.label.toLowerCase());
const ALSO = new Set(["gold", "golden", "silver", "violet", "gray", "cyan", "amber"]);

// A number, or what a variable names.
export function counter(pen, one, key = one.id) {
  const was = pen.table.changes.numbers?.[one.id];
  const fresh = was ? "new" : "";
  const before = was && was[0] !== "–" && was[0] !== "hidden" && was[0].length < 12 ? h("s", {}, was[0]) : null;
  const label = h("em", {}, one.label);
  if (one.track && one.value !== undefined) {
    const { low, high } = one.track;
    const many = high - low > 20;
    const steps = [];
    if (!many) for (let n = low; n <= high; n++) steps.push(h("i", { class: names(n <= one.value && "on", n === one.value && "at") }, n === one.value ? n : ""));
    const bar = many ? h("progress", { max: high - low, value: one.value - low, "aria-label": one.label }) : h("span", { class: "steps", "aria-hidden": "true" }, steps);
    return h("span", { key, class: names("counter track", fresh) }, label, bar, h("b", { class: many ? "" : "unseen" }, one.text), h("small", { class: many ? "" : "unseen" }, `of ${high}`));
  }
  if (one.bag) return h("span", { key, class: names("counter", fresh) }, label, one.bag.length ? one.bag.map((entry) => chip(pen, entry.thing, entry.n, one.id)) : h("b", {}, "–"));
  const things = one.things ?? [];
  if (things.length && things.length <= 4 && things.every((thing) => pen.table.meaning(thing, one.id).state === "" || pen.table.face(thing).form === "place")) {
    return h("span", { key, class: names("counter", fresh) }, label, things.map((thing) => tag(pen, thing, pen.table.face(thing).label, thing)), before);
  }
  if (things.length) return h("span", { key, class: names("counter", fresh) }, label, things.map((thing, n) => card(pen, thing, one.id, "s", `${n} ${thing}`)));
  return h("span", { key, class: names("counter", fresh) }, label, h("b", {}, one.text), before);
}

// A thing inside a text.
export function tag(pen, thing, text, key = undefined) {
  const face = pen.table.face(thing);
  const short = face.corner && face.colour && !titleOf(face);
  return h("button", { type: "button", key, class: names("tag", dye(face.colour)), "aria-label": text, title: short ? text : null, "data-tag": thing, onclick: () => pen.inspect(thing) }, short ? face.corner : text, drawn(face) || short ? sign(signOf(face), "ic tiny") : null);
}
