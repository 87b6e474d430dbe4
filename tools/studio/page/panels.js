// Below the text: what is found in it.
import { h, names } from "../page/dom.js";

const WORDS = { 1: ["error", "✖", "error"], 2: ["warning", "▲", "warning"], 3: ["note", "•", "note"], 4: ["note", "•", "hint"] };

export function below(app) {
  const all = findings(app);
  const tabs = { findings: all.length ? `Findings ${all.length}` : "Findings" };
  const panel = app.panel in tabs ? app.panel : "findings";
  return [
    h("div", { class: "tabs", role: "tablist", "aria-label": "Below the text" }, Object.entries(tabs).map(([what, label]) => h("button", { type: "button", role: "tab", key: what, "aria-selected": what === panel ? "true" : "false", onclick: () => app.look(what) }, label))),
    h("div", { class: names("panel", panel), role: "tabpanel", key: panel }, panel === "findings" ? listed(app, all) : null),
  ];
}

function findings(app) {
  const name = new Map((app.game?.files ?? []).map(({ file, uri }) => [uri, file]));
  const out = [];
  for (const [uri, list] of app.findings) for (const one of list) out.push({ ...one, file: name.get(uri) ?? decodeURIComponent(uri.split("/").at(-1)), known: name.has(uri) });
  return out.sort((a, b) => a.severity - b.severity || a.file.localeCompare(b.file) || a.range.start.line - b.range.start.line);
}

function listed(app, all) {
  if (!app.game) return h("p", { class: "lead" }, "No game is open.");
  if (!all.length) return h("p", { class: "lead" }, "Nothing is found in the game as the text stands.");
  return h("ul", {}, all.map((one, number) => {
    const [kind, sign, word] = WORDS[one.severity] ?? WORDS[3];
    const { line, character } = one.range.start;
    return h("li", { key: number }, h("button", { type: "button", class: names("row", kind), onclick: () => one.known && app.go(one.file, line + 1, character + 1) }, h("span", { class: "sign", "aria-label": word }, sign), h("span", {}, one.message), h("small", {}, `${one.file}:${line + 1} ${one.code ?? ""}`)));
  }));
}
