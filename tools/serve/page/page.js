// The whole page: the bar, the seats, the middle of the table, the question, one's own things, the log.
import { h, names } from "./dom.js";
import { board } from "./boards.js";
import { log, sheets } from "./log.js";
import { legend, map } from "./map.js";
import * as panels from "./panels.js";
import { card, counter } from "./pieces.js";
import { plainPage } from "./plain.js";
import { question } from "./question.js";
import { others, seat } from "./seats.js";
import { answers, spread, zone, zoneLabel } from "./zones.js";

const FEW = 8; // counters that stand in the bar

const SHUT = { 4400: "The server did not understand this page.", 4401: "This link is wrong: there is no such table, or no such seat.", 4404: "The table was closed." };

export function page(app) {
  if (app.ui.line === "shut") return h("main", { class: "notice" }, h("h1", {}, "Rulespec"), h("p", {}, SHUT[app.ui.code] ?? "The connection was closed."), h("a", { href: "/" }, "To the lobby"));
  if (app.ui.curtain) return panels.curtain(app);
  // People at one machine see no table before one of them sits down. For others the button waits for it: who presses while the page changes misses.
  if (!app.table && !app.begun && app.role === "machine" && app.secrets) return h("main", { class: "notice" }, panels.beginning(app));
  if (!app.table) return h("main", { class: "notice" }, h("p", {}, app.ui.line === "off" && !app.ui.first ? "The connection is lost; it is tried again." : "Coming to the table …"));
  if (app.plain) return plainPage(app);
  const { view } = app.table;
  const wide = app.table.size === "board";
  const own = app.table.me;
  const hands = own ? own.zones.filter((id) => app.table.zone(id).form === "hand") : [];
  const kinds = new Set(hands.map((id) => app.table.zone(id).kind));
  const beside = own && wide ? own.zones.filter((id) => app.table.zone(id).form === "row" && kinds.has(app.table.zone(id).kind)) : [];
  const leave = new Set([...hands, ...beside]);
  const top = bar(app, view);
  if (app.narrow.matches) app.drawn = new Set(); // the bar's counters scroll sideways: the question lists them too
  const centre = middle(app);
  const hand = hands.filter((id) => app.table.zone(id).count || !view.over).map((id) => handOf(app, id));
  const besides = beside.map((id) => zone(app, id, "s", { tight: true })).filter(Boolean);
  const low = wide ? hand.length || besides.length : true;
  const seen = new Set(app.drawn);
  const seats = others(view).map((one) => (one.you ? null : seat(app, one))).filter(Boolean);
  const me = own ? seat(app, own, { leave }) : null;
  const supply = wide && view.map ? stock(app) : null;
  // The table is drawn before the question, which lists what is not seen there: what lies in a drawer is not.
  if (wide && app.narrow.matches) app.drawn = seen;
  return h(
    "div",
    { key: "table", class: names("table", wide ? "wide" : "cards", app.ui.drawer && "drawer", hand.length && "has-hand") },
    top,
    h("main", {},
      wide ? null : h("div", { class: "others", "data-region": "others" }, seats),
      centre,
      ask(app),
      low ? h("div", { class: names("mine", wide && "low"), "data-region": "mine" }, wide ? null : me, hand, besides.length ? h("div", { class: "beside" }, besides) : null) : null,
    ),
    h("aside", { "aria-label": "The players and the log", "data-region": "aside" },
      h("div", { class: "info" }, wide ? h("div", { class: "seats" }, seats, me) : null, supply, sheets(app)),
      h("h2", {}, "Log"),
      log(app),
      panels.chat(app),
    ),
    banners(app),
  );
}

function ask(app) {
  if (!app.begun) return panels.beginning(app);
  if (app.walking) return panels.walking(app);
  return app.table.view.over ? panels.ending(app) : question(app);
}

function banners(app) {
  const out = [panels.asked(app)];
  if (app.ui.asking) out.push(h("div", { class: "banner", role: "status", key: "asking" }, h("span", {}, `${app.ui.asking} may say whether it is taken back …`), h("button", { type: "button", class: "primary", onclick: () => app.withdrawUndo() }, "Let it be")));
  if (app.ui.line === "off") out.push(h("div", { class: "banner", role: "status", key: "off" }, "The connection is lost. What you chose is kept; it is tried again …"));
  if (app.held) out.push(h("div", { class: "banner", role: "status", key: "held" }, h("span", {}, app.held.text), h("button", { type: "button", class: "primary", onclick: () => app.withdraw() }, "Undo")));
  if (app.ui.handOver) out.push(h("div", { class: "banner", key: "over", role: "status" }, h("span", {}, `${app.labels.get(app.ui.handOver) ?? app.ui.handOver} is next.`), h("button", { type: "button", class: "primary", "data-walk": "yes", onclick: () => app.away() }, "I have seen enough")));
  return out;
}

function bar(app, view) {
  const you = app.table.me;
  return h(
    "header",
    { class: "bar", "data-region": "bar" },
    h("h1", {}, view.game.title),
    you ? h("span", { class: "youare" }, "You are ", h("b", { class: "said", "data-colour": you.colour }, you.label)) : h("span", { class: "youare" }, "You watch"),
    h("span", { class: "counters", role: "group", "aria-label": "What is counted", tabindex: view.counters.length ? 0 : null }, view.counters.slice(0, view.map ? FEW : 2 * FEW).map((one) => counter(app, one))),
    h("button", { type: "button", class: "tool logs", "aria-expanded": app.ui.drawer ? "true" : "false", onclick: () => app.showLog() }, "Log", view.changes?.log ? h("b", { class: "badge" }, view.changes.log) : null),
    app.role === "host" ? h("button", { type: "button", class: "tool", onclick: () => app.showLinks() }, "Links") : null,
    panels.caseButton(app),
    view.boards.length ? h("button", { key: "turn", type: "button", class: "tool", "aria-label": "Turn the board", title: "Turn the board (t)", onclick: () => app.turn() }, "⇅") : null,
    h("button", { type: "button", class: "tool", title: "What the game is about (r)", onclick: () => app.showRules() }, "Rules"),
    h("button", { type: "button", class: "tool", "aria-label": "Keys", title: "Keys (F1)", onclick: () => app.dialog({ what: "keys" }) }, "⌨"),
    h("button", { type: "button", class: "tool", "aria-label": "Settings", title: "Settings", onclick: () => app.dialog({ what: "settings" }) }, "⚙"),
  );
}

function handOf(app, id) {
  const one = app.table.zone(id);
  const items = one.items ?? [];
  return h("div", { key: id, class: "hand", role: "group", "aria-label": `${zoneLabel(app, one)}, ${one.count}`, "data-zone": id, style: { "--n": String(Math.max(2, items.length)) } }, items.length ? spread(app, id, items, "l") : h("span", { class: "none" }, `${zoneLabel(app, one)}: nothing`));
}

// What lies between the players.
function middle(app) {
  const { view } = app.table;
  const parts = [];
  if (view.map) parts.push(app.ui.listedMap ? placeList(app) : map(app), app.ui.listedMap ? null : legend(app));
  const boards = view.boards.map((one) => board(app, one));
  parts.push(...(view.boards.some((one) => one.title) ? [h("div", { key: "boards", class: "several" }, boards)] : boards));
  const groups = view.groups.filter((group) => group.what !== "zones" || !view.map);
  const trick = groups.find((group) => group.what === "centre");
  const rows = [];
  if (trick) rows.push(h("div", { class: "trick", key: "centre" }, trick.zones.map((id) => slot(app, id))));
  if (!view.map) {
    for (const group of groups.filter((one) => one.what === "matrix")) {
      rows.push(h("div", { class: "matrix", key: `matrix ${group.kind}` }, group.rows.map((row) => h("div", { class: "mrow", key: row.label }, h("em", {}, row.label), row.zones.map((id) => zone(app, id, view.boards.length ? "s" : "m", { title: false }))))));
    }
    const alone = groups.filter((one) => one.what === "zones").flatMap((one) => one.zones);
    if (alone.length) rows.push(h("div", { class: "zones", key: "zones" }, alone.map((id) => zone(app, id, sizeOf(app, alone, groups), { tight: view.boards.length > 0 }))));
  }
  return h("div", { class: names("centre", view.boards.length && "has-board", view.map && "has-map"), role: "group", "aria-label": "The table", "data-region": "centre" }, parts, view.boards.length || view.map ? (rows.length ? h("div", { class: "below", key: "below" }, rows) : null) : rows);
}

// Few cards are drawn large.
function sizeOf(app, ids, groups) {
  if (app.table.size === "board") return "s";
  const shown = ids.reduce((sum, id) => sum + (app.table.zone(id).form === "row" ? Math.max(1, app.table.zone(id).count) : 1.5), 0);
  return groups.length === 1 && shown <= 6 ? "xl" : "m";
}

// A place of the trick: what its player has laid there.
function slot(app, id) {
  const one = app.table.zone(id);
  const owner = one.owner ? app.table.seats.get(one.owner) : null;
  const items = one.items ?? [];
  const size = app.table.size === "board" ? "r" : "m";
  const inner = items.length ? spread(app, id, items, size) : h("span", { class: `card slot ${size}` }, owner?.you ? "you" : "");
  return h("div", { key: id, class: "laid", "data-zone": id, role: "group", "aria-label": `${zoneLabel(app, one)} of ${owner?.label ?? one.owner ?? ""}, ${one.count}` }, h("div", { class: "items" }, inner), h("span", { class: "by said", "data-colour": owner?.colour ?? "grey" }, owner?.label ?? zoneLabel(app, one), owner?.badges[0] ? h("small", {}, ` ${owner.badges[0]}`) : null));
}

// What lies on the table beside a map, a line for each zone.
function stock(app) {
  const { view } = app.table;
  const rows = [];
  for (const group of view.groups) {
    if (group.what === "centre") continue;
    if (group.what === "matrix") {
      for (const zones of columns(group)) {
        const parts = group.rows.map((row) => [row.label, zones.map((id) => app.table.zone(id)).find((one) => row.zones.some((id) => app.table.zone(id) === one))]);
        const open = zones.some((id) => answers(app, id) || app.table.zone(id).form === "row");
        rows.push(open ? zones.map((id) => zone(app, id, "s", { tight: true })) : h("div", { key: zones[0], class: "line" }, h("em", {}, app.table.zone(zones[0]).label), parts.filter(([, one]) => one?.count).map(([label, one]) => h("span", { key: label }, `${label} `, h("b", {}, one.count)))));
      }
      continue;
    }
    for (const id of group.zones) rows.push(zone(app, id, "s", { tight: true }));
  }
  const extra = view.counters.slice(FEW).map((one) => counter(app, one));
  const all = [rows, extra].flat(2).filter(Boolean);
  return all.length ? h("details", { class: "stock", open: true, key: "stock" }, h("summary", {}, "On the table"), h("div", {}, all)) : null;
}

// The zones of a matrix column by column: those that are the same but for the row.
function columns(group) {
  const out = [];
  for (const row of group.rows) row.zones.forEach((id, n) => (out[n] = [...(out[n] ?? []), id]));
  return out;
}

// The map as a list: what can be chosen first, then what a flag names, then where something lies.
function placeList(app) {
  const rank = (place) => (["legal", "ahead", "picked"].includes(app.table.meaning(place.thing).state) ? 0 : place.flags ? 1 : place.holds ? 2 : 3);
  const places = [...app.table.view.map.places].sort((a, b) => rank(a) - rank(b));
  return h("div", { class: "placelist", key: "list" }, places.map((place) => h("div", { key: place.thing, class: "zone" }, card(app, place.thing, null, "s"), place.flags?.map((flag) => h("span", { class: "badge" }, flag.label)), (place.holds ?? []).map((hold) => (typeof hold === "string" ? zone(app, hold, "s", { tight: true, title: false }) : counter(app, hold))), place.lines?.map((line) => h("small", {}, line)))));
}

