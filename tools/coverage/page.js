"use strict";
const games = JSON.parse(document.getElementById("data").textContent);
const MOST = 40; // runs that are listed of an outcome

function add(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.appendChild(made);
  return made;
}

function tell(side, game, row) {
  const items = game.lines[row.dataset.line] || [];
  side.replaceChildren();
  add(side, "h3", "Line " + row.dataset.line.split(":")[1]);
  const seen = new Set();
  for (const [group, title, outcomes] of items) {
    add(side, "h4", title ? group + ": " + title : group);
    const list = add(side, "dl");
    for (const [name, count, why, runs] of outcomes) {
      add(list, "dt", name);
      add(list, "dd", why !== null && !count ? "unreachable" : count.toLocaleString("en"),
          count ? "" : why === null ? "zero" : "out");
      for (const run of runs) seen.add(run);
      if (why !== null && !count) add(side, "p", "because " + why, "hint");
    }
  }
  const runs = [...seen].sort((a, b) => a - b);
  add(side, "h4", runs.length ? "Reached by" : "Reached by nothing");
  const list = add(side, "ul");
  for (const run of runs.slice(0, MOST)) {
    const entry = add(list, "li", game.runs[run][0]);
    if (game.runs[run][1]) add(entry, "span", game.runs[run][1]);
  }
  if (runs.length > MOST) add(side, "p", "and " + (runs.length - MOST) + " more", "hint");
}

let kept = null;
const about = new Map();
for (const section of document.querySelectorAll(".game")) {
  const game = games[Number(section.dataset.game)];
  const side = section.querySelector(".side");
  for (const row of section.querySelectorAll("tr[data-line]")) {
    about.set(row, [side, game]);
    row.addEventListener("mouseenter", () => { if (!kept) tell(side, game, row); });
    row.addEventListener("focus", () => { if (!kept) tell(side, game, row); });
    row.addEventListener("click", () => keep(kept === row ? null : row));
  }
}

function keep(row) {
  if (kept) kept.classList.remove("kept");
  kept = row;
  if (!row) return;
  row.classList.add("kept");
  tell(...about.get(row), row);
}

const gaps = [...document.querySelectorAll("tr.own.part, tr.own.never")];
let at = -1;
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") keep(null);
  if (event.key === "Enter" && about.has(document.activeElement)) keep(document.activeElement);
  const step = event.key === "n" ? 1 : event.key === "p" ? -1 : 0;
  if (!step || !gaps.length) return;
  at = (at + step + gaps.length) % gaps.length;
  gaps[at].scrollIntoView({ block: "center" });
  keep(gaps[at]);
});
