// The same table as headings, lists and buttons: for who listens to it, or wants nothing else.
import { h } from "./dom.js";
import { said } from "./log.js";
import { joined, legal, markOf, textOf } from "./model.js";
import * as panels from "./panels.js";
import { question } from "./question.js";
import { others } from "./seats.js";
import { zoneLabel } from "./zones.js";

export function plainPage(app) {
  const { table } = app;
  const { view } = table;
  const title = (text) => h("h2", {}, text);
  const log = view.log.flatMap((turn) => turn.lines).slice(-Math.max(6, view.changes?.log ?? 0));
  const asked = !app.begun ? panels.beginning(app) : view.over ? panels.ending(app) : view.decision ? decision(app) : question(app);
  const tables = view.groups.flatMap((group) => group.zones ?? group.rows.flatMap((row) => row.zones));
  return h(
    "main",
    { class: "plain" },
    h("h1", {}, view.game.title),
    h("p", {}, table.me ? `You are ${table.me.label}. ` : "You watch. ", h("a", { href: panels.plain() }, "The table as a picture")),
    title(view.over ? "The end" : "The question"),
    asked,
    panels.caseButton(app),
    title("What was said"),
    h("div", { role: "log", "aria-label": "The log", tabindex: 0 }, log.map((line, n) => h("p", { key: view.log_lines - log.length + n }, line.map((part) => said(app, part))))),
    table.me ? [title("You"), seat(app, table.me)] : null,
    title("The others"),
    others(view).filter((one) => !one.you).map((one) => [h("h3", { key: one.id }, one.label), seat(app, one)]),
    title("The table"),
    h("ul", {}, view.counters.map((one) => h("li", { key: one.id }, `${one.label}: ${one.text}`)), tables.map((id) => zone(app, id))),
    view.boards.map((board) => h("ul", { key: board.kind }, [...board.cells, ...(board.parts ?? [])].filter((cell) => cell.label || cell.holds || cell.flags).map((cell) => place(app, cell, cell.label)))),
    view.map ? h("ul", {}, view.map.places.filter((one) => one.holds || one.flags || one.lines || one.colour).map((one) => place(app, one, one.lines?.join(", ")))) : null,
    view.sheets.map((sheet) => [h("h3", { key: sheet.label }, sheet.label), h("ul", {}, sheet.rows.map((row) => h("li", { key: row.label }, `${row.label}: ${joined(row.cells.map((cell, n) => `${view.seats[n].label} ${cell}`))}`)))]),
  );
}

function decision(app) {
  const { table, ui } = app;
  const { decision: asked } = table.view;
  const options = [...table.options].sort((a, b) => Number(legal(b)) - Number(legal(a)));
  const done = ui.tray?.whole || (table.enough && legal(table.enough));
  return h(
    "section",
    { "aria-label": "The question", "data-region": "question", "aria-busy": ui.sent ? "true" : "false" },
    h("h3", { id: "prompt", tabindex: -1 }, asked.prompt),
    asked.stages ? h("p", {}, `So far: ${joined(asked.stages.map((stage) => stage.text))}`) : null,
    asked.collected ? h("p", { role: "status" }, `${asked.collected.low} to ${asked.collected.high}. Picked: ${joined(table.several ? table.options.filter((one) => one.picked).map(textOf) : asked.collected.chosen.map((one) => one.text)) || "nothing"}`) : null,
    h("ol", {}, options.filter((option) => option !== table.enough).map((option) => h("li", { key: option.action }, h("button", { type: "button", "data-action": legal(option) ? option.action : null, "data-walk": legal(option) ? "yes" : "no", "aria-disabled": legal(option) ? null : "true", "aria-pressed": table.several ? String(Boolean(option.picked)) : null, onclick: () => app.choose(option) }, textOf(option)), legal(option) ? null : ` ${option.why ?? "Not now"}`))),
    table.several ? h("button", { type: "button", class: "done", disabled: !done, onclick: () => app.done() }, table.enough && !ui.tray?.picked.length ? textOf(table.enough) : "Done") : null,
    h("button", { type: "button", disabled: !app.canUndo, onclick: () => app.undo(1) }, "Take back"),
    ui.note ? h("p", { role: "status" }, ui.note) : null,
  );
}

function seat(app, one) {
  const score = (one.score ?? []).map(([label, text]) => `${label} ${text}`);
  const facts = [...one.badges, ...score, ...one.counters.map((counter) => `${counter.label} ${counter.text}`)];
  return h("ul", { key: `${one.id} list` }, facts.map((text, n) => h("li", { key: n }, text)), one.zones.map((id) => zone(app, id)));
}

function zone(app, id) {
  const one = app.table.zone(id);
  return h("li", { key: id }, `${zoneLabel(app, one)}: `, pieces(app, id));
}

// A thing by its name; who presses it reads all that is told of it.
const thing = (app, id, text = app.table.face(id).label) => h("button", { type: "button", class: "tag", onclick: () => app.inspect(id) }, text);

const parted = (parts, mark) => parts.map((part, n) => [n ? mark : "", part]);

function pieces(app, id) {
  const one = app.table.zone(id);
  const label = (item) => (item === null ? "hidden" : [thing(app, item), under(app, item)]);
  const parts = one.bag ? one.bag.map((entry) => [`${entry.n} `, label(entry.thing)]) : (one.items ?? []).map(label);
  const names = (one.bag ? one.bag.map((entry) => entry.thing) : (one.items ?? [])).map((item) => (item === null ? "hidden" : app.table.face(item).label));
  return parts.length ? parted(parts, markOf(names)) : `${one.count}`;
}

function under(app, item) {
  const holds = app.table.attached[item];
  return holds ? [" (", parted(holds.map((hold) => holding(app, hold)), "; "), ")"] : "";
}

const holding = (app, hold) => (typeof hold === "string" ? [`${zoneLabel(app, app.table.zone(hold))}: `, pieces(app, hold)] : `${hold.label} ${hold.text}`);

function place(app, one, text) {
  const parts = [text, ...(one.holds ?? []).map((hold) => holding(app, hold)), ...(one.flags ?? []).map((flag) => flag.label)].filter(Boolean);
  return h("li", { key: one.thing }, thing(app, one.thing, one.title), parts.length ? ": " : "", parted(parts, "; "));
}
