// The map: places where the game puts them, as large as what is written in them, and the links between them.
import { draw, h, names } from "./dom.js";
import { drawn, ICONS, sign, signOf } from "./icons.js";
import { titleOf } from "./model.js";
import { answering, back, tag } from "./pieces.js";

const GAP = 9; // between places
const ROOM = 0.42; // how much of the field the places may fill before letters get smaller
const FULL = 0.6; // ... and before the field gets larger than its window
const BENDS = [0, 40, -40, 80, -80, 130, -130]; // how far a link is led round what lies in its way
const SIZES = ["", "small", "tiny"]; // of the letters, until everything has room

const TERRAIN = { mountains: "mountain", hills: "hill", swamp: "wave", swamps: "wave", water: "wave", sea: "wave", ruins: "ruin", plains: "plain", forest: "tree", forests: "tree" };

const member = (map, sort, name) => map.legends[sort]?.find((one) => one.name === name);

// The colour of a member of the legend: that of a seat, where it is one.
const dye = (pen, one) => (one ? (pen.table.seats.get(one.name)?.colour ?? one.sign) : undefined);

export function map(pen) {
  const data = pen.table.view.map;
  const points = data.places.every((place) => (place.title ?? pen.table.face(place.thing).label).length <= 3 && !place.lines);
  return h(
    "div",
    { key: "map", class: names("map", points && "points") },
    h("div", { class: "ground", role: "group", "aria-label": data.title }, h("svg", { class: "links", "aria-hidden": "true" }), data.places.map((place) => spot(pen, data, place, points))),
  );
}

function spot(pen, data, place, points) {
  const face = pen.table.face(place.thing);
  const title = place.title ?? face.label;
  const colour = dye(pen, member(data, "colour", place.colour));
  const here = member(data, "symbol", place.symbol);
  const said = [place.colour && !points ? null : member(data, "colour", place.colour)?.label, place.lines?.join(", ")].filter(Boolean).join(", ");
  const { props, classes, badge } = answering(pen, place.thing, null, [title, said].filter(Boolean).join(", "));
  if (said && !props["aria-label"].includes(said)) props["aria-label"] += `, ${said}`;
  const fresh = pen.table.changes.spots?.includes(place.thing);
  const flags = (place.flags ?? []).map((flag) => h("span", { class: "flag", "data-colour": whose(pen, flag.counter) }, flag.label));
  if (points) {
    return h(
      "div",
      { key: place.thing, class: names("place", classes, fresh && "new", colour && "taken"), "data-place": place.thing },
      h("button", { ...props, class: "spot" }),
      colour ? h("span", { key: colour, class: `disc c-${colour}` }) : h("span", { class: "point" }),
      h("span", { class: "name" }, title),
      badge,
    );
  }
  const art = here ? TERRAIN[here.name] ?? (here.name in ICONS ? here.name : here.sign) : null;
  const holds = (place.holds ?? []).filter((hold) => typeof hold === "string");
  const told = (place.holds ?? []).filter((hold) => typeof hold !== "string" && !member(data, "colour", place.colour)?.label.includes(hold.text));
  return h(
    "div",
    { key: place.thing, class: names("place", colour && `c-${colour}`, place.strong && "strong", classes, fresh && "new"), "data-place": place.thing },
    h("button", { ...props, class: "spot" }),
    flags.length ? h("span", { class: "flags" }, flags) : null,
    h("span", { class: "pt" }, h("span", {}, title), sign(art, "ic ter")),
    holds.length ? h("span", { class: "units" }, holds.map((id) => units(pen, id))) : null,
    place.lines?.map((line) => h("span", { class: "pl" }, line)),
    told.map((one) => h("span", { class: "pl" }, one.label, " ", one.things?.length ? one.things.map((thing) => tag(pen, thing, pen.table.face(thing).label)) : one.text)),
    badge,
  );
}

const whose = (pen, id) => pen.table.view.seats.find((seat) => seat.counters.some((one) => one.id === id))?.colour ?? "grey";

// What lies at a place, as small as it can be read.
function units(pen, id) {
  const zone = pen.table.zone(id);
  if (zone.bag) return zone.bag.map((one) => unit(pen, one.thing, one.n, id));
  if (zone.form === "count" && zone.items?.length) {
    const counts = new Map();
    for (const item of zone.items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return [...counts].map(([item, n]) => unit(pen, item, n, id));
  }
  const seen = (zone.items ?? []).filter((item) => item !== null);
  const hidden = zone.count - seen.length;
  return [
    seen.map((item) => unit(pen, item, null, id)),
    hidden > 0 ? h("span", { class: "hidden", key: `${id} hidden`, title: `${hidden} face down: ${zone.label}` }, back("t", hidden)) : null,
  ];
}

function unit(pen, thing, n, id) {
  if (thing === null) return h("span", { key: `${id} null`, class: "unit k-grey" }, h("b", {}, n), "?");
  const face = pen.table.face(thing);
  const { props, classes, badge } = answering(pen, thing, id, n === null ? face.label : `${n} ${face.label}`);
  const short = face.sign ?? titleOf(face).slice(0, 2);
  return h("button", { ...props, key: `${id} ${thing}`, title: props.title ?? face.label, class: names("unit", n === null && "one", `k-${face.colour ?? "grey"}`, classes) }, badge, n !== null && h("b", {}, n), drawn(face) ? sign(signOf(face)) : short);
}

// What the letters on the map stand for.
export function legend(pen) {
  const data = pen.table.view.map;
  const signs = new Map();
  for (const place of data.places) {
    for (const hold of place.holds ?? []) {
      if (typeof hold !== "string") continue;
      const zone = pen.table.zone(hold);
      for (const thing of [...(zone.items ?? []), ...(zone.bag ?? []).map((one) => one.thing)]) {
        if (thing === null) continue;
        const face = pen.table.face(thing);
        signs.set(face.sign ?? titleOf(face).slice(0, 2), face);
      }
    }
  }
  const rows = [...signs].map(([text, face]) => h("span", { key: text }, h("b", { class: `k-${face.colour ?? "grey"}` }, drawn(face) ? sign(signOf(face), "ic tiny") : text), face.label));
  const colours = (data.legends.colour ?? []).filter((one) => data.places.some((place) => place.colour === one.name)).map((one) => h("span", { key: `colour ${one.name}` }, h("i", { class: `swatch c-${dye(pen, one)}` }), one.label));
  const symbols = (data.legends.symbol ?? []).map((one) => h("span", { key: `symbol ${one.name}` }, sign(TERRAIN[one.name] ?? one.sign), one.label));
  const styles = legendOf(data).filter((one) => one.sign !== "solid").map((one) => h("span", { key: `style ${one.name}` }, h("svg", { class: "sample", viewBox: "0 0 34 10", "aria-hidden": "true" }, strokes(one.sign, [[1, 5], [33, 5]])), one.label));
  const all = [rows, colours, symbols, styles].flat();
  if (data.strong) all.push(h("span", { key: "strong" }, h("i", { class: "swatch strong" }), data.strong));
  return all.length ? h("details", { class: "legend", key: "legend" }, h("summary", {}, "What the signs mean"), h("div", {}, all)) : null;
}

const LARGER = 1.15; // times as wide and high the field gets, until no place covers another
const TRIES = 8;
const KEPT = new WeakMap(); // of a field: where each place is, for a window of this size

// Give each place its position in the field that there is, and draw the links. To be called when the places are drawn.
export function arrange(root, data) {
  const ground = root.querySelector(".ground");
  const outer = ground.parentElement;
  const places = [...ground.querySelectorAll(":scope > .place")];
  const points = root.classList.contains("points");
  if (!outer.clientWidth || !outer.clientHeight || !places.length) return;
  const { width, height, boxes } = kept(ground, outer, places, points) ?? arranged(ground, outer, places, points, data);
  ground.style.width = `${width}px`;
  ground.style.height = `${height}px`;
  places.forEach((place, n) => {
    place.style.left = `${Math.round(boxes[n].x)}px`;
    place.style.top = `${Math.round(boxes[n].y)}px`;
  });
  const number = new Map(data.places.map((place, n) => [place.thing, n]));
  const svg = ground.querySelector(":scope > .links");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  draw(svg, data.links.map((link) => line(data, link, boxes, number.get(link.a), number.get(link.b))).filter(Boolean));
}

const sized = (places) => places.map((place) => [place.offsetWidth, place.offsetHeight]);
const windowOf = (outer, places) => `${innerWidth} ${innerHeight} ${outer.clientWidth} ${places.map((place) => place.dataset.place)}`;

// Where the places were before, in the same window: what has grown gets room, and nothing else moves. null where there is no room for it.
function kept(ground, outer, places, points) {
  const before = KEPT.get(ground);
  if (before?.window !== windowOf(outer, places)) return null;
  ground.dataset.size = before.size;
  const sizes = sized(places);
  before.boxes.forEach((box, n) => ([box.w, box.h] = sizes[n]));
  if (points || apart(before.boxes, before.width, before.height)) return before;
  return null;
}

function arranged(ground, outer, places, points, data) {
  let [width, height] = [outer.clientWidth, outer.clientHeight];
  let sizes = [];
  for (const size of SIZES) {
    ground.dataset.size = size;
    sizes = sized(places);
    const area = sizes.reduce((sum, [w, ht]) => sum + (w + GAP) * (ht + GAP), 0);
    if (area <= ROOM * width * height) break;
  }
  const area = sizes.reduce((sum, [w, ht]) => sum + (w + GAP) * (ht + GAP), 0);
  const grow = points ? 1 : Math.max(1, Math.sqrt(area / (FULL * width * height)));
  const widest = Math.max(...sizes.map(([w]) => w));
  const highest = Math.max(...sizes.map(([, ht]) => ht));
  width = Math.max(Math.floor(width * grow), widest * 2 + 20);
  height = Math.max(Math.floor(height * grow), highest * 2 + 20);
  let boxes;
  for (let tries = 0; ; tries++) {
    const spread = scaled(data.places.map(({ x, y }) => [x, y]), width - widest - 8, height - highest - (points ? 26 : 14), points ? 1 : 1.9);
    boxes = spread.map(([x, y], n) => ({ x: x + 4 + (widest - sizes[n][0]) / 2, y: y + 10 + (highest - sizes[n][1]) / 2, w: sizes[n][0], h: sizes[n][1] }));
    if (points || apart(boxes, width, height) || tries === TRIES) break;
    // A field that is flat gets higher before it gets wider.
    if (width > 1.9 * height) height = Math.floor(height * LARGER);
    else [width, height] = [Math.floor(width * LARGER), Math.floor(height * LARGER)];
  }
  const out = { window: windowOf(outer, places), size: ground.dataset.size, width, height, boxes };
  KEPT.set(ground, out);
  return out;
}

// The points in a field, a unit in one direction at most so many times as long as in the other.
function scaled(points, width, height, stretch) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [across, down] = [Math.max(...xs) - left, Math.max(...ys) - top];
  let oneX = across ? width / across : 0;
  let oneY = down ? height / down : 0;
  if (oneX && oneY) [oneX, oneY] = [Math.min(oneX, oneY * stretch), Math.min(oneY, oneX * stretch)];
  const [freeX, freeY] = [(width - across * oneX) / 2, (height - down * oneY) / 2];
  return points.map(([x, y]) => [freeX + (x - left) * oneX, freeY + (y - top) * oneY]);
}

// Move boxes until they leave a gap between each other and stay in the field; whether there was room for it.
function apart(boxes, width, height) {
  for (let round = 0; round < 300; round++) {
    let moved = false;
    for (let j = 0; j < boxes.length; j++) {
      for (let i = 0; i < j; i++) {
        const [a, b] = [boxes[i], boxes[j]];
        const [dx, dy] = [b.x + b.w / 2 - a.x - a.w / 2, b.y + b.h / 2 - a.y - a.h / 2];
        const [overX, overY] = [(a.w + b.w) / 2 + GAP - Math.abs(dx), (a.h + b.h) / 2 + GAP + 4 - Math.abs(dy)];
        if (overX <= 0.5 || overY <= 0.5) continue;
        moved = true;
        const [axis, over, way] = overX < overY ? ["x", overX, dx] : ["y", overY, dy];
        const step = (over / 2) * (way >= 0 ? 1 : -1);
        b[axis] += step;
        a[axis] -= step;
      }
    }
    for (const box of boxes) {
      box.x = Math.max(2, Math.min(box.x, width - box.w - 2));
      box.y = Math.max(12, Math.min(box.y, height - box.h - 2));
    }
    if (!moved) return true;
  }
  return false;
}

const inside = (box, [x, y], margin = 0) => x > box.x - margin && x < box.x + box.w + margin && y > box.y - margin && y < box.y + box.h + margin;

const legendOf = (data) => data.legends.style ?? [];

// A link that has no style is plain, or faint where a style is plain, too.
function line(data, link, boxes, a, b) {
  if (a === undefined || b === undefined) return null;
  const path = route(boxes, a, b);
  const clear = path.filter((point) => !inside(boxes[a], point) && !inside(boxes[b], point, link.one_way ? 3 : 0));
  const style = member(data, "style", link.style)?.sign ?? (legendOf(data).some((one) => one.sign === "solid") ? "faint" : "solid");
  const parts = strokes(style, path, clear);
  if (link.one_way && clear.length > 1) parts.push(arrow(clear.at(-2), clear.at(-1)));
  return h("g", { key: `${link.a} ${link.b} ${link.style ?? ""}`, class: `link ${style}` }, parts);
}

// A path from one place to another past those that lie between.
function route(boxes, a, b) {
  const centre = ({ x, y, w, h: height }) => [x + w / 2, y + height / 2];
  const [from, to] = [centre(boxes[a]), centre(boxes[b])];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const count = Math.max(4, Math.round(length / 8));
  let best = null;
  for (const bend of BENDS) {
    const middle = [(from[0] + to[0]) / 2 - ((to[1] - from[1]) / length) * bend * 2, (from[1] + to[1]) / 2 + ((to[0] - from[0]) / length) * bend * 2];
    const path = Array.from({ length: count + 1 }, (_, n) => {
      const t = n / count;
      return [0, 1].map((k) => (1 - t) ** 2 * from[k] + 2 * t * (1 - t) * middle[k] + t * t * to[k]);
    });
    const hits = boxes.filter((box, n) => n !== a && n !== b && path.some((point) => inside(box, point, 3))).length;
    if (!best || hits < best.hits) best = { hits, path };
    if (!hits) break;
  }
  return best.path;
}

const text = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

function strokes(style, path, clear = path) {
  const plain = h("polyline", { points: text(path) });
  switch (style) {
    case "double":
      return [h("polyline", { key: "outer", points: text(path), class: "outer" }), h("polyline", { key: "inner", points: text(path), class: "inner" })];
    case "wavy":
      return [h("path", { d: waves(path) })];
    case "barred":
      return [plain, ...clear.slice(0, -1).flatMap(([x, y], n) => {
        if (n % 2 === 0) return [];
        const [dx, dy] = [(clear[n + 1][1] - y) * 0.7, (x - clear[n + 1][0]) * 0.7];
        return [h("polyline", { key: `bar ${n}`, points: text([[x - dx, y - dy], [x + dx, y + dy]]) })];
      })];
  }
  return [plain];
}

function waves(path) {
  if (path.length < 3) path = Array.from({ length: 5 }, (_, n) => [path[0][0] + ((path[1][0] - path[0][0]) * n) / 4, path[0][1] + ((path[1][1] - path[0][1]) * n) / 4]);
  return `M${text(path.slice(0, 1))}${path.slice(1).map(([x, y], n) => {
    const [px, py] = path[n];
    const side = n % 2 ? 0.9 : -0.9;
    return ` Q${text([[(px + x) / 2 - (y - py) * side, (py + y) / 2 + (x - px) * side], [x, y]])}`;
  }).join("")}`;
}

function arrow([x, y], [tipX, tipY]) {
  const length = Math.hypot(tipX - x, tipY - y) || 1;
  const [dx, dy] = [((tipX - x) / length) * 12, ((tipY - y) / length) * 12];
  return h("polygon", { key: "arrow", points: text([[tipX, tipY], [tipX - dx - dy / 2, tipY - dy + dx / 2], [tipX - dx + dy / 2, tipY - dy - dx / 2]]) });
}
