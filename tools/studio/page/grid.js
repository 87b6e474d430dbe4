// A table of cards, which is a file of values with commas between, as a table: each cell changes its own letters of the text, and no others.
import { h } from "../page/dom.js";

export const MOST_ROWS = 500; // that are shown as a table; a longer file is edited as text
const PLAIN = /^(?!\s)[^",\r\n]*(?<!\s)$/; // what needs no quotes

// The rows of a text: where each begins and ends, and its cells, with what stands in them.
export function rowsOf(text) {
  const rows = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === "#" || text[at] === "\n" || text[at] === "\r") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
      continue;
    }
    const row = { from: at, cells: [] };
    for (;;) {
      const cell = cellAt(text, at);
      row.cells.push(cell);
      at = cell.to;
      if (text[at] !== ",") break;
      at++;
    }
    row.to = at;
    row.cells[0].alone = row.cells.length === 1;
    rows.push(row);
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return rows;
}

function cellAt(text, from) {
  if (text[from] !== '"') {
    let to = from;
    while (to < text.length && !",\r\n".includes(text[to])) to++;
    return { from, to, value: text.slice(from, to) };
  }
  let value = "";
  let to = from + 1;
  while (to < text.length && (text[to] !== '"' || text[to + 1] === '"')) {
    value += text[to];
    to += text[to] === '"' ? 2 : 1;
  }
  to = Math.min(to + 1, text.length);
  while (to < text.length && !",\r\n".includes(text[to])) value += text[to++];
  return { from, to, value };
}

export const quoted = (value) => (PLAIN.test(value) && !value.startsWith("#") ? value : `"${value.replaceAll('"', '""')}"`);

// The change of a text that gives a cell another value; an empty line would be no row.
export const celled = (cell, value) => ({ from: cell.from, to: cell.to, insert: cell.alone && !value ? '""' : quoted(value) });

// The change that adds a row below all others.
export function added(text, columns) {
  const insert = `${text && !text.endsWith("\n") ? "\n" : ""}${columns > 1 ? ",".repeat(columns - 1) : '""'}\n`;
  return { from: text.length, to: text.length, insert };
}

// The change that takes a row away.
export const removed = (text, row) => ({ from: row.from, to: text[row.to] === "\r" ? row.to + 2 : Math.min(row.to + 1, text.length), insert: "" });

export function grid(app, text) {
  const rows = rowsOf(text);
  const choice = h("div", { class: "choice", role: "group", "aria-label": "How the file is shown" }, ["As a table", "As text"].map((label, number) => h("button", { type: "button", class: "tool", key: label, "aria-pressed": app.asTable === !number ? "true" : "false", onclick: () => app.tabled(!number) }, label)));
  if (!app.asTable) return choice;
  if (!rows.length || rows.length > MOST_ROWS) return [choice, h("p", { class: "lead" }, rows.length ? `It has more than ${MOST_ROWS} rows: edit it as text.` : "It is empty: write the names of the columns as text, with commas between.")];
  const [head, ...body] = rows;
  const columns = head.cells.length;
  const write = app.game.writable;
  const cell = (one, label, number, place) => h("input", { value: one.value, "aria-label": label, "data-cell": `${number}.${place}`, autocomplete: "off", spellcheck: "false", readonly: !write, size: Math.min(Math.max(one.value.length, 6), 40), oninput: (event) => app.celled(celled(one, event.target.value)), onkeydown: (event) => below(event, number, place) });
  const line = (row, number) => h("tr", { key: number }, row.cells.map((one, place) => h("td", { key: place }, cell(one, `${head.cells[place]?.value ?? "more"}, row ${number + 1}`, number, place))), write ? h("td", { key: "end" }, h("button", { type: "button", class: "tool", "aria-label": `Take row ${number + 1} away`, onclick: () => app.celled(removed(text, row)) }, "✕")) : null);
  return [choice, h("div", { class: "sheet" }, h("table", {}, h("thead", {}, h("tr", {}, head.cells.map((one, place) => h("th", { key: place, scope: "col" }, one.value)))), h("tbody", {}, body.map(line))), write ? h("button", { type: "button", class: "tool", onclick: () => app.celled(added(text, columns)) }, "Another row") : null)];
}

// Enter leads to the cell below, with Shift to that above.
function below(event, number, place) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.currentTarget.closest("table").querySelector(`[data-cell="${number + (event.shiftKey ? -1 : 1)}.${place}"]`)?.focus();
}
