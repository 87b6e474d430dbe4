// Boards of squares and of hexagons.
import { h, names } from "./dom.js";
import { man, sign } from "./icons.js";
import { parts } from "./parts.js";
import { answering } from "./pieces.js";
import { held } from "./zones.js";

const GRID = /^([a-z])(\d+)$/;

export function board(pen, one) {
  const hex = one.shape === "hex";
  const heads = headings(one);
  const named = heads.columns.length > 0;
  const seats = new Set(pen.table.view.seats.map((seat) => seat.colour));
  const felt = ["black", "white"].every((colour) => seats.has(colour));
  const look = one.look === "disc" && !hex ? (felt ? "disc felt" : "disc rack") : one.look;
  const cells = one.cells.map((cell) => drawn(pen, one, cell));
  const shape = hex
    ? { "--n": Math.max(...one.cells.map((cell) => cell.x)) + 1, "--m": one.rows }
    : { "--n": one.columns, "--m": one.rows };
  return h(
    "div",
    { key: one.title ?? one.kind, class: names("board", one.shape, one.title && "owned", named && "named", ...look.split(" ").map((word) => `look-${word}`)), style: Object.fromEntries(Object.entries(shape).map(([k, v]) => [k, String(v)])) },
    one.title ? h("span", { class: "own" }, one.title) : null,
    h(
      "div",
      { class: "field" },
      named && !hex ? h("div", { class: "columns", "aria-hidden": "true" }, heads.columns.map((text) => h("span", {}, text))) : null,
      named && !hex ? h("div", { class: "lines", "aria-hidden": "true" }, heads.rows.map((text) => h("span", {}, text))) : null,
      h("div", { class: "cells", role: "group", "aria-label": [one.title ?? "the board", ...owned(pen, one)].join(", ") }, cells, edges(one), lines(pen, one), parts(pen, one)),
    ),
  );
}

const HIGH = 0.866; // of a row of hexagons, whose cells are 1 wide
const SLOPE = 0.2887; // from the side of a hexagon to its tip
// By direction: where the cell beside lies, and the side of a cell that is turned to it, from corner to corner.
const SIDES = {
  square: { n: [0, -1, 0, 0, 1, 0], e: [1, 0, 1, 0, 1, 1], s: [0, 1, 1, 1, 0, 1], w: [-1, 0, 0, 1, 0, 0] },
  hex: {
    ne: [0.5, -1, 0.5, 0, 1, SLOPE], e: [1, 0, 1, SLOPE, 1, 3 * SLOPE], se: [0.5, 1, 1, 3 * SLOPE, 0.5, 4 * SLOPE],
    sw: [-0.5, 1, 0.5, 4 * SLOPE, 0, 3 * SLOPE], w: [-1, 0, 0, 3 * SLOPE, 0, SLOPE], nw: [-0.5, -1, 0, SLOPE, 0.5, 0],
  },
};

const viewBox = (one) => `0 0 ${one.shape === "hex" ? `${Math.max(...one.cells.map((cell) => cell.x)) + 1} ${one.rows * HIGH + 0.29}` : `${one.columns} ${one.rows}`}`;

// The edges of a board that are a player's, in his colour.  With the side that is turned to a direction goes the one beside it where that
// looks out of the board at each cell of the edge: an edge of hexagons is a zigzag.
function edges(one) {
  if (!one.edges) return null;
  const sides = SIDES[one.shape];
  const there = new Set(one.cells.map((cell) => `${cell.x} ${cell.y}`));
  const out = (cell, way) => !there.has(`${cell.x + sides[way][0]} ${cell.y + sides[way][1]}`);
  const ways = Object.keys(sides);
  const drawn = Object.entries(one.edges).flatMap(([way, colour]) => {
    const along = one.cells.filter((cell) => out(cell, way));
    const at = ways.indexOf(way);
    const beside = one.shape === "hex" ? [ways[(at + 1) % 6], ways[(at + 5) % 6]].filter((other) => along.every((cell) => out(cell, other))) : [];
    return [way, ...beside].flatMap((side) => along.map((cell) => {
      const [x, y] = [cell.x, cell.y * (one.shape === "hex" ? HIGH : 1)];
      const [, , x1, y1, x2, y2] = sides[side];
      return h("line", { key: `${cell.thing} ${side}`, class: `c-${colour}`, x1: x + x1, y1: y + y1, x2: x + x2, y2: y + y2 });
    }));
  });
  return h("svg", { key: "edges", class: "edges", viewBox: viewBox(one), "aria-hidden": "true" }, drawn);
}

// Whose edges there are, in words.
function owned(pen, one) {
  const names = { n: "north", ne: "northeast", e: "east", se: "southeast", s: "south", sw: "southwest", w: "west", nw: "northwest" };
  return Object.entries(one.edges ?? {}).map(([way, colour]) => `${names[way]}: ${pen.table.view.seats.find((seat) => seat.colour === colour)?.label ?? colour}`);
}

// Lines from cell to cell, from middle to middle; of two between the same cells each has the half at its own.
function lines(pen, one) {
  const high = one.shape === "hex" ? HIGH : 1;
  const middle = ({ x, y }) => [x + 0.5, y * high + (one.shape === "hex" ? 0.577 : 0.5)];
  const places = new Map(one.cells.map((cell) => [cell.thing, middle(cell)]));
  const drawn = one.cells.flatMap((cell) => (cell.holds ?? []).filter((hold) => hold.to).map((hold) => ({ ...hold, from: cell.thing })));
  if (!drawn.length) return null;
  const all = new Set(drawn.map((line) => `${line.from} ${line.to}`));
  return h(
    "svg",
    { key: "ties", class: "ties", viewBox: viewBox(one), "aria-hidden": "true" },
    drawn.map((line) => {
      const [[x1, y1], end] = [places.get(line.from), places.get(line.to)];
      const part = all.has(`${line.to} ${line.from}`) ? 0.5 : 1;
      const [x2, y2] = [x1 + (end[0] - x1) * part, y1 + (end[1] - y1) * part];
      const face = line.things && pen.table.face(line.things[0]);
      const letters = face?.colour || line.text === "yes" ? "" : (face?.sign ?? line.text).slice(0, 2);
      return h(
        "g",
        { key: line.id, class: `tie c-${face?.colour ?? "grey"}` },
        h("line", { x1, y1, x2, y2 }),
        letters ? h("text", { x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, letters) : null,
      );
    }),
  );
}

// Letters of columns and numbers of rows, where the cells are named so.
function headings(one) {
  const columns = [];
  const rows = [];
  for (const cell of one.cells) {
    const name = GRID.exec(cell.thing.split("/")[1]);
    if (!name || (one.shape === "square" && (columns[cell.x] ?? name[1]) !== name[1]) || (rows[cell.y] ?? name[2]) !== name[2]) return { columns: [], rows: [] };
    columns[cell.x] = name[1];
    rows[cell.y] = name[2];
  }
  return { columns, rows };
}

function drawn(pen, one, cell) {
  const hex = one.shape === "hex";
  const face = pen.table.face(cell.thing);
  const ties = (cell.holds ?? []).filter((hold) => hold.to).map((hold) => `${hold.label}: ${hold.text}`);
  const told = [cell.label, ...ties].filter(Boolean).join(", ");
  const { props, classes, badge, means } = answering(pen, cell.thing, null, [face.label, told].filter(Boolean).join(", "));
  if (means.label && told && means.state === "legal") props["aria-label"] = `${means.label}, ${told}`;
  const fresh = pen.table.changes.spots?.includes(cell.thing);
  const holds = (cell.holds ?? []).filter((hold) => typeof hold === "string" || !(hold.to || (cell.sign && hold.things)));
  const flags = (cell.flags ?? []).map((flag) => h("span", { class: "flag", "data-colour": flagColour(pen, flag) }, flag.label));
  const stands = standing(pen, one, cell);
  const empty = !cell.sign && !holds.length;
  const dark = one.look === "chequered" && (cell.x + cell.y + (one.odd ?? 0)) % 2 === 1;
  const title = one.look === "plain" && !GRID.test(face.label) ? h("span", { class: "name" }, short(face.label)) : hex && empty ? h("span", { class: "name" }, face.label) : null;
  const place = hex ? { "--x": String(cell.x), "--y": String(cell.y) } : { "grid-column": String(cell.x + 1), "grid-row": String(cell.y + 1) };
  return h(
    "div",
    { key: cell.thing, class: names("cell", dark && "dark", classes, fresh && "new", !empty && "full", means.options?.[0]?.things.length > 1 && "part", face.colour && `c-${face.colour}`), style: place },
    h("button", { ...props, class: "spot" }),
    title,
    ["legal", "ahead"].includes(means.state) && empty ? h("span", { class: "hint", "aria-hidden": "true" }) : null,
    stands,
    holds.length ? h("span", { class: "holds" }, holds.map((hold) => held(pen, hold))) : null,
    flags.length ? h("span", { class: "flags" }, flags) : null,
    pen.table.showNumbers && pen.table.count <= 9 && !(means.options?.[0]?.things.length > 1) ? badge : null,
  );
}

// The name of a cell in little room: of `space 29 (+1 Cunning)` the number, and what stands in brackets below it.
function short(label) {
  const [, head, number, more] = /^([^\d(]*)(\d*)\s*(?:\((.*)\))?$/.exec(label) ?? [null, label, "", ""];
  return [h("b", {}, label.length > 8 && number ? number : `${head}${number}`.trim()), more ? h("small", {}, more) : null];
}

const flagColour = (pen, flag) => pen.table.view.seats.find((seat) => seat.counters.some((one) => one.id === flag.counter))?.colour ?? "grey";

// What stands on a cell: a man, a mark, a disc, or a token with a letter.
function standing(pen, one, cell) {
  if (!cell.sign) return null;
  const colour = cell.colour ?? "grey";
  const figure = man(cell.label) ?? (one.look === "chequered" ? "pawn" : null);
  if (one.look === "mark") return h("span", { key: cell.label, class: `mark c-${colour}` }, cell.sign);
  if (one.look === "disc") return h("span", { key: cell.label, class: `disc c-${colour}` });
  if (figure) return h("span", { key: cell.label, class: `man c-${colour}` }, sign(figure, "figure"));
  return h("span", { key: cell.label, class: `token c-${colour}` }, cell.sign);
}
