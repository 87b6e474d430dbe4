// Below the text: what is found in it, its cases, and what one of them does.
import { h, names } from "../page/dom.js";

const WORDS = { 1: ["error", "✖", "error"], 2: ["warning", "▲", "warning"], 3: ["note", "•", "note"], 4: ["note", "•", "hint"] };

export function below(app) {
  const all = findings(app);
  const cases = [...app.cases.values()];
  const red = cases.filter((one) => one.faulty || one.passed === false).length;
  const tabs = {
    findings: all.length ? `Findings ${all.length}` : "Findings",
    cases: cases.length ? (red ? `Cases: ${red} of ${cases.length} red` : `Cases ${cases.length}`) : "Cases",
    trace: app.trace ? `Trace: ${app.trace.case}` : "Trace",
  };
  const shown = { findings: () => listed(app, all), cases: () => tried(app, cases), trace: () => traced(app) };
  return [
    h("div", { class: "tabs", role: "tablist", "aria-label": "Below the text", onkeydown: walk }, Object.entries(tabs).map(([what, label]) => h("button", { type: "button", role: "tab", key: what, id: `tab-${what}`, tabindex: what === app.panel ? 0 : -1, "aria-selected": what === app.panel ? "true" : "false", "aria-controls": "panel", onclick: () => app.look(what) }, label))),
    h("div", { class: names("panel", app.panel), id: "panel", role: "tabpanel", "aria-labelledby": `tab-${app.panel}`, tabindex: 0, key: app.panel }, shown[app.panel]()),
  ];
}

// Among tabs one walks with arrows.
export function walk(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const tabs = [...event.currentTarget.querySelectorAll('[role="tab"]')];
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.click();
  next.focus();
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

function tried(app, cases) {
  if (!cases.length) return h("p", { class: "lead" }, "There are no cases yet. Play, and press ", h("b", {}, "Make a case"), " above the table.");
  const order = (one) => (one.faulty || one.passed === false ? 0 : 1);
  return h("ul", {}, [...cases].sort((a, b) => order(a) - order(b)).map((one) => {
    const [kind, sign, word] = one.faulty || one.passed === false ? ["red", "✖", "fails"] : one.passed ? ["green", "✔", "passes"] : ["", "…", "not run yet"];
    const open = () => (one.faulty ? app.go(one.file, one.line, one.column) : app.showTrace(one.case));
    const message = one.faulty ? "It is left out: see the findings." : one.passed === false ? one.message : one.about;
    return h("li", { key: one.case }, h("button", { type: "button", class: names("row", kind), onclick: open }, h("span", { class: "sign", "aria-label": word }, sign), h("span", {}, one.case), h("small", {}, `${one.file}:${one.line}`), message ? h("span", { class: "message" }, message) : null));
  }));
}

function traced(app) {
  const { trace } = app;
  if (!trace) return h("p", { class: "lead" }, "Choose a case: here is what it does, line by line.");
  return [
    h("p", { class: names("lead", trace.passed ? "green" : "red") }, h("b", { class: "sign" }, trace.passed ? "✔ passes" : "✖ fails"), trace.message ? h("span", {}, trace.message) : null, h("button", { type: "button", class: "tool", onclick: () => app.go(trace.file, trace.line, trace.column) }, "The case")),
    h("ol", {}, trace.steps.map((one, number) => h("li", { key: number }, one.by ? h("span", { class: "row answered" }, h("span", { class: "sign" }, "▸"), h("span", {}, `${one.by}: `, h("b", {}, one.text))) : h("button", { type: "button", class: "row", onclick: () => app.go(one.file, one.line, 1) }, h("span", { class: "sign" }, " "), h("code", {}, one.text), h("small", {}, `${one.file}:${one.line}${one.times > 1 ? ` ×${one.times}` : ""}`))))),
  ];
}
