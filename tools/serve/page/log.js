// The log by turns, and the sheets.
import { h, names } from "./dom.js";
import { tag } from "./pieces.js";

export function log(pen) {
  const { view } = pen.table;
  const total = view.log.reduce((sum, turn) => sum + turn.lines.length, 0);
  const fresh = view.log_lines - (view.changes?.log ?? 0);
  let number = view.log_lines - total;
  const out = [];
  for (const turn of view.log) {
    turn.lines.forEach((line, n) => {
      if (view.changes && number === fresh && number < view.log_lines && number > 0) out.push(h("div", { key: "since", class: "since" }, h("span", {}, "since your last choice")));
      out.push(h("p", { key: number, class: names(n === 0 && "first", view.changes && number >= fresh && "fresh"), "data-colour": turn.by ? pen.table.seatColour(turn.by) : null }, line.map((part) => said(pen, part))));
      number += 1;
    });
  }
  return h("div", { class: "log", role: "log", "aria-label": "The log", tabindex: 0 }, out.length ? out : h("p", { class: "none" }, "Nothing has happened yet"));
}

// A part of a line.
export function said(pen, part) {
  if (typeof part !== "object") return typeof part === "number" ? h("b", { class: "num" }, part) : part;
  if (part.seat) return h("b", { class: "said", "data-colour": pen.table.seatColour(part.seat) }, part.text);
  return tag(pen, part.thing, part.text);
}

export function sheets(pen) {
  const { view } = pen.table;
  return view.sheets.map((sheet) => {
    const rows = sheet.rows.filter((row) => row.cells.some((cell) => !["0", "–", "", "no"].includes(cell)));
    return h(
      "details",
      { key: sheet.label, class: "sheet", open: rows.length > 0 && rows.length < 9 ? true : null },
      h("summary", {}, sheet.label, rows.length ? null : h("small", {}, ` ${sheet.rows.length} rows, nothing yet`)),
      rows.length ? table(view, rows) : null,
    );
  });
}

export function table(view, rows) {
  return h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), view.seats.map((seat) => h("th", { key: seat.id, scope: "col" }, seat.label)))), h("tbody", {}, rows.map((row) => h("tr", { key: row.label }, h("th", { scope: "row" }, row.label), row.cells.map((cell, n) => h("td", { key: n }, cell))))));
}
