// The lobby: the tables that are there, and games that can be opened.
import { draw, h } from "./dom.js";
import * as settings from "./settings.js";
import { address, Wire } from "./wire.js";

const root = document.getElementById("app");
const state = { games: [], tables: [], line: "off", note: "", opened: null };
settings.apply(settings.load());
addEventListener("hashchange", () => location.reload());

const wire = new Wire({
  hello: () => ({ token: location.hash.slice(1) }),
  hears: (message) => {
    if (message.type === "lobby") show({ games: message.games, tables: message.tables });
    if (message.type === "error") show({ note: message.text });
  },
  changed: (line, code) => show({ line, code }),
});
for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => wire.hurry());

function show(changes) {
  Object.assign(state, changes);
  draw(root, page());
}

async function ask(message, then) {
  const reply = await wire.ask(message);
  if (reply.type === "illegal" || reply.type === "error") show({ note: reply.why ?? reply.text });
  else then(reply);
}

function open(event, game) {
  event.preventDefault();
  const players = Number(event.target.elements.players.value);
  ask({ type: "open", game: game.id, players }, (reply) => show({ opened: { ...reply, title: game.title }, note: "" }));
}

const link = (label, path) =>
  h("p", { class: "link", key: path }, h("a", { href: address(path) }, label), h("input", { readonly: true, value: address(path), "aria-label": `The link of ${label}`, onfocus: (event) => event.target.select() }));

function page() {
  if (state.line === "shut") return [h("h1", {}, "Rulespec"), h("p", {}, state.code === 4401 ? "This is the address of a server of games. Its lobby opens with the link that the server printed; a table opens with the link of a seat." : "The connection was closed.")];
  return [
    h("h1", {}, "Tables"),
    state.line === "off" ? h("p", { class: "note", role: "status" }, "Connecting …") : null,
    state.note ? h("p", { class: "note", role: "alert" }, state.note) : null,
    state.opened ? opened(state.opened) : null,
    h("ul", { class: "shelf", "aria-label": "Tables" }, state.tables.map(table)),
    state.tables.length ? null : h("p", { class: "dim" }, "There is no table yet."),
    h("h2", {}, "Open a table"),
    h("ul", { class: "shelf", "aria-label": "Games" }, state.games.map(game)),
  ];
}

function opened(links) {
  return h("section", { class: "links", "aria-label": "Links", key: "opened" }, h("h2", {}, links.title, ": links"), h("p", {}, "Each link is a seat. Give it only to its player."), Object.entries(links.seats).map(([seat, path]) => link(seat, path)), links.machine ? link("all at one machine", links.machine) : null, link("spectators", links.spectator), link("the host", links.host));
}

function table(one) {
  const by = { person: (seat) => (seat.here ? "here" : "away"), bot: () => "bot", empty: () => "free" };
  return h(
    "li",
    { key: one.table },
    h("h2", {}, one.title),
    h("p", { class: "dim" }, one.over ? "over" : one.begun ? "being played" : "waits to begin", " · ", one.seats.map((seat) => `${seat.label}: ${by[seat.by](seat)}`).join(", ")),
    h("div", { class: "row" }, h("a", { class: "primary", href: address(one.host) }, "As the host"), h("button", { type: "button", class: "tool", onclick: () => ask({ type: "close", table: one.table }, () => show({ note: "" })) }, "Close")),
  );
}

function game(one) {
  return h(
    "li",
    { key: one.id },
    h("h3", {}, one.title),
    h("form", { onsubmit: (event) => open(event, one) },
      h("label", {}, "players", h("select", { name: "players" }, one.players.map((n) => h("option", { key: n, value: String(n) }, n)))),
      h("button", { type: "submit", class: "primary" }, "Open")),
  );
}
