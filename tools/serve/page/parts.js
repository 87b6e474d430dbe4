// The edges and corners of a board: lines and discs where they lie, and a button at each that may be chosen or has something to tell.
import { h, names } from "./dom.js";
import { answering } from "./pieces.js";
import { held } from "./zones.js";

const HIGH = 0.866; // of a row of hexagons, whose cells are 1 wide

// How wide and high a board is, in cells.
const extent = (one) => (one.shape === "hex" ? [Math.max(...one.cells.map((cell) => cell.x)) + 1, one.rows * HIGH + 0.29] : [one.columns, one.rows]);

const place = (one, [x, y]) => [x, one.shape === "hex" ? y * HIGH : y];
const middle = (points) => [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);

export function parts(pen, one) {
  if (!one.parts) return null;
  const [wide, high] = extent(one);
  const stand = one.parts.filter((part) => part.sign && part.at.length > 1);
  return [
    h("svg", { key: "parts", class: "parts", viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" }, stand.map((part) => line(one, part))),
    one.parts.map((part) => joint(pen, one, part, wide, high)),
  ];
}

function line(one, part) {
  const [[x1, y1], [x2, y2]] = part.at.map((point) => place(one, point));
  return h("line", { key: part.thing, class: `c-${part.colour ?? "grey"}`, x1, y1, x2, y2 });
}

function joint(pen, one, part, wide, high) {
  const face = pen.table.face(part.thing);
  const { props, classes, badge, means } = answering(pen, part.thing, null, [face.label, part.label].filter(Boolean).join(", "));
  const told = part.sign || part.holds?.length || part.flags?.length;
  if (!told && !means.state) return null;
  const [x, y] = middle(part.at.map((point) => place(one, point)));
  const corner = part.at.length === 1;
  const holds = (part.holds ?? []).filter((hold) => typeof hold === "string" || (!part.sign && hold.things));
  return h(
    "div",
    {
      key: part.thing,
      class: names("joint", corner ? "corner" : "side", classes, pen.table.changes.spots?.includes(part.thing) && "new", part.sign && "full"),
      style: { left: `${(100 * x) / wide}%`, top: `${(100 * y) / high}%` },
    },
    h("button", { ...props, class: "spot" }),
    part.sign && corner ? h("span", { class: `token c-${part.colour ?? "grey"}` }, part.sign) : null,
    ["legal", "ahead"].includes(means.state) && !part.sign ? h("span", { class: "hint", "aria-hidden": "true" }) : null,
    holds.length ? h("span", { class: "holds" }, holds.map((hold) => held(pen, hold))) : null,
    pen.table.showNumbers && pen.table.count <= 9 ? badge : null,
  );
}
