// What a view (docs/table.md) means for who draws it: which things answer the question, which will, and which do not and why.

export const legal = (option) => option.legal !== false;
export const textOf = (option) => option.text ?? option.name;
// Several texts in one: a semicolon between them where one of them holds a comma and would read as two.
export const markOf = (texts) => (texts.length > 1 && texts.some((text) => /,\s|\sand\s/.test(text)) ? "; " : ", ");
export const joined = (texts) => texts.join(markOf(texts));
export const isNumber = (option) => /^-?\d+$/.test(option.name);
export const titleOf = (face) => face.title ?? face.label;

// What a table tells of a thing in words, as pairs of a name (empty where it needs none) and a text: as `tools/facts.py` has it.
export function told(face) {
  const cost = joined((face.cost ?? []).map((part) => `${part.n} ${part.label}`));
  const title = face.title && !face.label.includes(face.title) ? face.title : "";
  const named = (face.facts ?? []).map(([, text]) => text);
  const pairs = [["title", title], ["corner", named.includes(face.corner) ? "" : face.corner], ["colour", face.colour], ["suit", face.suit], ["sign", face.symbol_word ?? face.symbol], ...(face.facts ?? []), ["costs", cost]];
  return pairs.filter(([, text]) => text);
}

// Where a place or cell is drawn.
export const spots = (view, thing) => [...view.boards.flatMap((board) => [...board.cells, ...(board.parts ?? [])]), ...(view.map?.places ?? [])].filter((spot) => spot.thing === thing);

// What is told of a place or cell where it is drawn: what stands there, colours and signs in words, flags; no fact twice, nor what lies there.
export function there(view, thing) {
  const known = new Set((view.things[thing]?.facts ?? []).flat());
  return spots(view, thing).flatMap((spot) => {
    const words = [["there", spot.label]];
    for (const sort of ["colour", "symbol"]) for (const one of view.map?.legends[sort] ?? []) if (one.name === spot[sort]) words.push(["there", one.label]);
    if (spot.strong) words.push(["", view.map.strong]);
    const more = [...(spot.flags ?? []).map((flag) => flag.label), ...(spot.lines ?? [])];
    return [...words.filter(([, text]) => text && !known.has(text)), ...more.map((text) => ["", text])];
  });
}

// What a seat has but its zones: badges, scores, counters, its column of each sheet.
export function ofSeat(view, id) {
  const number = view.seats.findIndex((seat) => `Player/${seat.id}` === id);
  if (number < 0) return [];
  const seat = view.seats[number];
  const cells = view.sheets.flatMap((sheet) => sheet.rows.map((row) => [row.label, row.cells[number]]));
  return [...seat.badges.map((badge) => ["", badge]), ...(seat.score ?? []), ...seat.counters.filter((one) => one.text !== "–").map((one) => [one.label, one.text]), ...cells.filter(([, text]) => !["", "0", "–"].includes(text))];
}

// The zones, by name, and counters that lie at a thing: under a piece, or in a place.
export const heldBy = (view, thing) => [...(view.attached[thing] ?? []), ...spots(view, thing).flatMap((spot) => spot.holds ?? [])];

export class Table {
  // `tray` is what is picked of a choice of several: {picked: [action], options: Map of action to {legal, why}, whole}; null where nothing is known.
  constructor(view, { ahead = {}, tray = null } = {}) {
    this.view = view;
    this.things = view.things;
    this.zones = view.zones;
    this.seats = new Map(view.seats.map((seat) => [seat.id, seat]));
    this.me = view.seats.find((seat) => seat.you) ?? null;
    this.changes = view.changes ?? {};
    this.attached = view.attached;
    this.known = new Map();
    for (const { thing, zone } of view.known) this.known.set(zone, [...(this.known.get(zone) ?? []), thing]);
    this.ahead = ahead;
    this.tray = tray;
    this.collected = view.decision?.collected ?? null;
    this.several = this.collected?.what === "set";
    this.options = this.inReading((view.decision?.options ?? []).map((option) => this.told(option)));
    this.enough = this.several ? this.options.find((option) => option.button && !option.things) : undefined;
    this.numbered();
    this.byThing = new Map();
    for (const option of this.options) {
      if (option.button) continue;
      for (const thing of option.things) this.byThing.set(thing, [...(this.byThing.get(thing) ?? []), option]);
    }
  }

  // The options with those that lie in zones in the order in which they lie there, and cells as a board is read: from above, and from the left.
  // So their numbers can be read along.  What is a button comes last, as it stands in the question.
  inReading(options) {
    const cells = this.view.boards.length ? new Map(this.view.boards.flatMap((board) => [...board.cells].sort((a, b) => a.y - b.y || a.x - b.x)).map((cell, n) => [cell.thing, n])) : new Map();
    const place = (option) => this.zones[option.spots?.[0]]?.items?.indexOf(option.things[0]) ?? cells.get(option.things[0]) ?? -1;
    const lying = options.filter((option) => !option.button && option.things.length === 1 && place(option) >= 0);
    const zones = [...new Set(lying.map((option) => option.spots?.[0]))];
    const sorted = [...lying].sort((a, b) => zones.indexOf(a.spots?.[0]) - zones.indexOf(b.spots?.[0]) || place(a) - place(b));
    const moved = new Set(lying);
    const read = options.map((option) => (moved.has(option) ? sorted.shift() : option));
    return [...read.filter((option) => !option.button), ...read.filter((option) => option.button)];
  }

  // An option as the tray has it.
  told(option) {
    const now = this.tray?.options?.get(option.action);
    if (this.tray?.picked.includes(option.action)) return { ...option, legal: undefined, why: undefined, picked: true };
    return now ? { ...option, legal: now.legal, why: now.why ?? (now.legal === false ? option.why : undefined) } : option;
  }

  // The legal options are counted from 1, in their order; where all are numbers, each is its own. These are the digits that choose them.
  numbered() {
    const counted = this.options.filter((option) => legal(option) && option !== this.enough);
    const numbers = counted.every((option) => isNumber(option) && Number(option.name) >= 0);
    counted.forEach((option, n) => (option.number = numbers ? Number(option.name) : n + 1));
    this.count = counted.length;
    this.showNumbers = this.count <= 24;
  }

  face(thing) {
    return this.things[thing] ?? { label: thing.split("/")[1] ?? thing, form: "word" };
  }

  zone(id) {
    return this.zones[id];
  }

  // What pointing at a thing in a place (a zone, a counter; null: the thing itself) does.
  meaning(thing, spot = null) {
    const here = (one) => !one.spots || spot === null || one.spots.includes(spot);
    const options = (this.byThing.get(thing) ?? []).filter(here);
    const yes = options.filter(legal);
    if (yes.length) {
      return { state: yes[0].picked ? "picked" : "legal", option: yes[0], options: yes, label: yes.map(textOf).join(", or ") };
    }
    const verbs = (this.ahead[thing] ?? []).filter(here);
    const can = verbs.filter((verb) => verb.actions);
    const told = (verb) => `${verb.text}${verb.why ? `: ${verb.why}` : ""}`;
    if (can.length) return { state: "ahead", verbs, label: `${this.face(thing).label}: ${can.map((verb) => verb.text).join(", or ")}` };
    if (options.length) return { state: "no", option: options[0], why: options[0].why ?? "Not now" };
    if (verbs.length) return { state: "no", why: verbs.map(told).join("; ") };
    return { state: "" };
  }

  // Whether a piece came to a zone since the seat chose last.
  isNew(thing, zone) {
    return this.changes.came?.[zone]?.includes(thing) ?? false;
  }

  // The reasons why options are not legal, each with those that it is said of.
  reasons() {
    const out = new Map();
    for (const option of this.options) {
      if (legal(option) || option === this.enough) continue; // how many are wanted is told beside the question
      const text = textOf(option);
      const why = text.length > 1 ? (option.why ?? "Not now").replaceAll(text, "…") : (option.why ?? "Not now");
      out.set(why, [...(out.get(why) ?? []), option]);
    }
    return [...out].map(([why, options], number) => ({ why: options.length > 1 ? why : options[0].why ?? why, options, alone: options.length === 1 && why.includes("…"), id: `why-${number}` }));
  }

  // All counters that name things, with the seat whose they are.
  seatColour(id) {
    return this.seats.get(id)?.colour ?? "grey";
  }

  label(seat) {
    return this.seats.get(seat)?.label ?? seat;
  }

  get size() {
    return this.view.map || this.view.boards.length ? "board" : "cards";
  }
}
