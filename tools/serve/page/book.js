// The rulebook of the game in a dialog: its chapters as buttons, one of them open, and links that lead from one to another.
import { h } from "./dom.js";

// All of it, below what the game says of itself. `pen.page(chapter, anchor)` opens another chapter, at a heading if one is named.
export function book(pen, read) {
  if (!read) return h("p", { key: "book", class: "when" }, "The rulebook is being written …");
  if (read.why) return h("p", { key: "book", class: "when" }, read.why);
  return h("section", { key: "book", class: "book" },
    h("nav", { "aria-label": "Chapters" }, read.titles.map((title, n) =>
      h("button", { key: n, type: "button", class: "tool", "aria-pressed": String(n === read.chapter), onclick: () => pen.page(n) }, title))),
    h("h3", {}, read.titles[read.chapter]),
    read.blocks.map((block, n) => part(pen, read, block, `${read.chapter}.${n}`)));
}

function part(pen, read, block, key) {
  const say = (text) => runs(pen, read, text);
  switch (block.is) {
    case "heading":
      return h("h4", { key, id: anchored(block.anchor), tabindex: "-1" }, say(block.text));
    case "paragraph":
      return h("p", { key }, say(block.text));
    case "steps":
      return steps(pen, read, block.steps, block.ordered, key);
    case "table":
      return h("div", { key, class: "wide" }, h("table", {},
        h("thead", {}, h("tr", {}, block.head.map((cell, n) => h("th", { key: n, scope: "col" }, say(cell))))),
        h("tbody", {}, block.rows.map((row, n) => h("tr", { key: n }, row.map((cell, m) => h("td", { key: m }, say(cell))))))));
  }
  return null;
}

function steps(pen, read, all, ordered, key) {
  return h(ordered ? "ol" : "ul", { key }, all.map((step, n) =>
    h("li", { key: n }, h("span", {}, runs(pen, read, step.text)), step.steps ? steps(pen, read, step.steps, ordered, "below") : null)));
}

// A sentence: texts, what stands out, and links to headings.
function runs(pen, read, text) {
  return text.map((run, n) => {
    if (typeof run === "string") return run;
    if (run.is === "place") return h("span", { key: `${n}:`, id: anchored(run.anchor) });
    const inner = runs(pen, read, run.of);
    if (run.is !== "a") return h(run.is === "strong" ? "strong" : run.is === "code" ? "code" : "em", { key: n }, inner);
    if (read.places[run.to] === undefined) return h("span", { key: n }, inner);
    return h("button", { key: n, type: "button", class: "turn", onclick: () => pen.page(read.places[run.to], run.to) }, inner);
  });
}

export const anchored = (anchor) => `book-${anchor}`;
