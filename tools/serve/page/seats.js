// The seats: who sits there, what they have, what is counted of them.
import { h, names } from "./dom.js";
import { answering, counter } from "./pieces.js";
import { zone } from "./zones.js";

// The thing that a seat is itself, where the view names it.
export const seatThing = (pen, seat) => Object.keys(pen.table.things).find((id) => pen.table.things[id].form === "seat" && id.endsWith(`/${seat.id}`));

// A seat. `leave`: zones that are drawn elsewhere.
export function seat(pen, one, { leave = new Set() } = {}) {
  const id = seatThing(pen, one);
  const means = id ? answering(pen, id, null, one.label) : null;
  const who = pen.presence?.get(one.id);
  const open = pen.unfolded.has(one.id);
  const name = [h("i", { class: `dot c-${one.colour}` }), h("b", { class: "name" }, one.label)];
  const head = means?.means.state ? h("button", { ...means.props, class: names("who", means.classes) }, means.badge, name) : h("span", { class: "who" }, name);
  const zones = one.zones.filter((zid) => !leave.has(zid)).map((zid) => zone(pen, zid, "s", { tight: true }));
  const told = new Set((one.score ?? []).map(([label, text]) => `${label} ${text}`.toLowerCase()));
  const counters = one.counters.filter((c) => !told.has(`${c.label} ${c.text}`.toLowerCase())).map((c) => counter(pen, c));
  const body = [counters, zones].flat().filter(Boolean);
  const score = (one.score ?? []).map(([label, text]) => h("span", { class: "counter score" }, h("em", {}, label), h("b", {}, text)));
  const badges = one.badges.map((badge) => h("span", { class: "badge" }, badge));
  const state = [
    one.you ? h("small", {}, "you") : null,
    who?.by === "bot" || (who?.by === "empty" && pen.begun) ? h("small", {}, "bot") : who?.by === "empty" ? h("small", {}, "nobody yet") : who && !who.here && !one.you ? h("small", { class: "away" }, "away") : null,
  ];
  return h(
    "section",
    { key: one.id, class: names("seat", one.you && "me", one.to_act && "acts", means?.classes, open && "open"), "aria-label": one.label, "data-seat": one.id, "data-colour": one.colour },
    h(
      "header",
      {},
      head,
      state,
      badges,
      one.to_act && !one.you ? h("span", { class: "turn" }, "to act") : null,
      score.length ? h("span", { class: "scores" }, score) : null,
      body.length ? h("button", { type: "button", class: "fold tool", "aria-expanded": open ? "true" : "false", "aria-label": `What ${one.label} has`, onclick: () => pen.unfold(one.id) }, open ? "▾" : "▸") : null,
    ),
    body.length ? h("div", { class: "in" }, body) : null,
  );
}

// The seats of the others, beginning with the one who comes after the viewer.
export function others(view) {
  const at = view.seats.findIndex((one) => one.you);
  return at < 0 ? view.seats : [...view.seats.slice(at + 1), ...view.seats.slice(0, at)];
}
