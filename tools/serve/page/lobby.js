// The lobby: the tables that are there, and games that can be opened.
import { draw, h } from "./dom.js";
import * as settings from "./settings.js";
import { address } from "./socket.js";
import { Wire } from "./wire.js";

const root = document.getElementById("app");
const state = { games: [], tables: [], line: "off", note: "", opened: null, opening: null, closing: null, sought: "" };
settings.apply(settings.load());
addEventListener("hashchange", () => location.reload());

const wire = new Wire({
  hello: () => ({ token: location.hash.slice(1) }),
  hears: (message) => {
    if (message.type === "lobby") show({ tables: message.tables, ...(message.games ? { games: message.games } : {}) });
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
  if (reply.type === "illegal" || reply.type === "error") show({ note: reply.why ?? reply.text, opening: null });
  else then(reply);
}

// Open a table as a form says.  What stands as it was is not sent: the server knows it.
function open(event, game) {
  event.preventDefault();
  if (state.opening) return;
  const said = event.target.elements;
  const options = Object.fromEntries(fitting(game, Number(said.players.value)).map((option) => [option.name, said[`option ${option.name}`].value]).filter(([name, value]) => value !== game.options.find((one) => one.name === name).default));
  const message = { type: "open", game: game.id, players: Number(said.players.value), options };
  if (said.variant?.value) message.variants = [said.variant.value];
  if (said.bot) message.bot = said.bot.value;
  show({ opening: game.id, note: "", opened: null });
  ask(message, (reply) => {
    show({ opened: { ...reply, title: game.title }, opening: null });
    document.getElementById("opened")?.focus();
  });
}

// The options that a game has with so many players.
const fitting = (game, players) => game.options.filter((option) => option.players.includes(players));

const link = (label, path) =>
  h("p", { class: "link", key: path }, h("a", { href: address(path) }, label), h("input", { readonly: true, value: address(path), "aria-label": `The link of ${label}`, onfocus: (event) => event.target.select() }));

function page() {
  if (state.line === "shut") return [h("h1", {}, "Rulespec"), h("p", {}, state.code === 4401 ? "This is the address of a server of games. Its lobby opens with the link that the server printed; a table opens with the link of a seat." : "The connection was closed.")];
  const words = state.sought.toLowerCase().split(/\s+/).filter(Boolean);
  const found = state.games.filter((one) => words.every((word) => `${one.title} ${one.about}`.toLowerCase().includes(word)));
  return [
    h("h1", {}, "Tables"),
    state.line === "off" ? h("p", { class: "note", role: "status" }, "Connecting …") : null,
    state.note ? h("p", { class: "note", role: "alert" }, state.note) : null,
    state.opened ? opened(state.opened) : null,
    h("ul", { class: "shelf", "aria-label": "Tables" }, state.tables.map(table)),
    state.tables.length ? null : h("p", { class: "dim" }, "There is no table yet."),
    h("h2", {}, "Open a table"),
    state.games.length > 6 ? h("p", {}, h("input", { type: "search", class: "search", value: state.sought, placeholder: "Find a game", "aria-label": "Find a game", oninput: (event) => show({ sought: event.target.value }) })) : null,
    state.games.length && !found.length ? h("p", { class: "dim", role: "status" }, "No game is called so.") : null,
    h("ul", { class: "shelf", "aria-label": "Games" }, found.map(game)),
  ];
}

function opened(links) {
  return h("section", { class: "links", "aria-label": "Links", key: "opened" }, h("h2", { id: "opened", tabindex: -1 }, links.title, ": links"), h("p", {}, "Each link is a seat. Give it only to its player."), Object.entries(links.seats).map(([seat, path]) => link(seat, path)), links.machine ? link("all at one machine", links.machine) : null, link("spectators", links.spectator), link("the host", links.host));
}

function table(one) {
  const running = one.begun && !one.over;
  const close = () => ask({ type: "close", table: one.table }, () => show({ note: "", closing: null }));
  return h(
    "li",
    { key: one.table },
    h("h2", {}, one.title),
    h("p", { class: "dim" }, one.over ? "over" : one.begun ? "being played" : "waits to begin", one.variants.length ? ` · ${one.variants.join(", ")}` : null),
    h("ul", { class: "sitting", "aria-label": `Seats of ${one.title}` }, one.seats.map((seat) => place(one, seat))),
    h("div", { class: "row" }, h("a", { class: "primary", href: address(one.host) }, "As the host"), h("a", { class: "tool", href: address(one.spectator) }, "Watch"),
      state.closing === one.table ? null : h("button", { type: "button", class: "tool", onclick: () => (running ? show({ closing: one.table }) : close()) }, "Close")),
    state.closing === one.table
      ? h("div", { class: "row sure", role: "alertdialog", "aria-label": "Close the table" }, h("span", {}, "Close it for good? The game is being played."), h("button", { type: "button", class: "tool", onclick: close }, "Close it"), h("button", { type: "button", class: "primary", onclick: () => show({ closing: null }) }, "Keep it"))
      : null,
  );
}

// A seat, and the way to sit down on it where nobody does.
function place(one, seat) {
  const by = seat.by === "person" ? (seat.here ? "is here" : "is away") : one.begun || seat.by === "bot" ? "a bot" : "free";
  return h("li", { key: seat.seat }, h("b", {}, seat.label), " ", h("span", { class: "dim" }, by), one.over || seat.here ? null : h("a", { class: "tool", href: address(seat.link), "aria-label": `Sit down as ${seat.label}` }, "Sit down"));
}

const choice = (label, name, values) =>
  h("label", { key: name }, label, h("select", { name }, values.map(([value, text, chosen]) => h("option", { key: value, value, selected: chosen ? "selected" : null }, text))));

function game(one) {
  const players = state.players?.[one.id] ?? one.players[0];
  const options = fitting(one, players);
  const busy = state.opening === one.id;
  return h(
    "li",
    { key: one.id },
    h("h3", {}, one.title),
    one.about ? h("p", { class: "about" }, one.about) : null,
    h("form", { onsubmit: (event) => open(event, one) },
      h("label", { key: "players" }, "players", h("select", { name: "players", onchange: (event) => show({ players: { ...state.players, [one.id]: Number(event.target.value) } }) }, one.players.map((n) => h("option", { key: n, value: String(n) }, n)))),
      one.bots.length ? choice("bots play", "bot", one.bots.map((bot) => [bot.id, bot.title])) : null,
      one.variants.length ? choice("variant", "variant", [["", "none"], ...one.variants.map((variant) => [variant.id, variant.title])]) : null,
      options.length ? h("details", { key: "options" }, h("summary", {}, "Options"), options.map((option) => h("div", { key: option.name }, choice(option.name.replaceAll("_", " "), `option ${option.name}`, option.values.map((value) => [value, value.replaceAll("_", " "), value === option.default])), option.about ? h("p", { class: "dim" }, option.about) : null))) : null,
      h("button", { type: "submit", class: "primary", disabled: Boolean(state.opening) }, busy ? "Opening …" : "Open")),
  );
}
