// The keyboard: digits and letters choose, arrows walk among what can be chosen, and a few letters are commands.
import { legal, textOf } from "./model.js";

export const KEYS = [
  ["1 – 9, two digits", "choose the answer of this number"],
  ["letters", "find an answer by its name; Enter takes it"],
  ["/", "find, where a name begins with a letter that is a command"],
  ["arrows", "walk among what can be chosen; with Shift among all things"],
  ["Tab", "to the next region"],
  ["Enter", "choose; give several that are picked, where it is on Done"],
  ["Space", "pick, or take out, where several are chosen"],
  ["+ –", "more, or less, where it is asked how many; Enter takes so many"],
  ["?", "why not: of the thing in focus, or of all"],
  ["i", "look closely at the thing in focus"],
  ["u", "take back"],
  ["Esc", "back one stage"],
  ["arrows, Home, End", "when it is over: step by step through the game"],
  ["r", "what the game is about, and its rulings"],
  ["l", "the log"],
  ["m", "the map as a list"],
  ["t", "turn the board"],
  ["o", "once more what has happened since your last choice"],
  ["F1", "these keys"],
];

const WAIT = 900; // milliseconds until a digit counts that could be the first of two
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Keys {
  constructor(app) {
    this.app = app;
    this.digits = "";
    document.addEventListener("keydown", (event) => this.down(event));
  }

  down(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { app } = this;
    if (event.key === "F1") {
      event.preventDefault();
      app.dialog({ what: "keys" });
      return;
    }
    if (document.querySelector("dialog[open]") || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    if (!app.table || app.ui.curtain) return;
    if (app.walking && this.step(event.key)) return event.preventDefault();
    if (event.key in ARROWS) {
      if (this.walk(ARROWS[event.key], event.shiftKey)) event.preventDefault();
      return;
    }
    const key = event.key;
    if (key === "Escape") return this.back();
    if (key === "Enter" && (app.ui.typed || this.digits)) {
      event.preventDefault();
      return this.take();
    }
    if (key === "Backspace" && app.ui.typed) {
      event.preventDefault();
      return this.type(app.ui.typed.slice(0, -1));
    }
    if (key.length !== 1 || !app.settings.letters || (key === " " && !app.ui.typed)) return;
    if (this.letter(key)) event.preventDefault();
  }

  // Through a game that is over.
  step(key) {
    const { step, steps } = this.app.walking;
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, PageUp: step - 10, PageDown: step + 10, Home: 0, End: steps, Escape: null }[key];
    if (to === undefined) return false;
    this.app.walk(to === null ? null : Math.min(steps, Math.max(0, to)));
    return true;
  }

  letter(key) {
    const { app } = this;
    const typing = app.ui.typed || app.ui.finding;
    if (/\d/.test(key) && !typing) return this.digit(key);
    if (!typing) {
      switch (key) {
        case "?":
          app.whyNot(focused());
          return true;
        case "i":
          if (focused()) app.inspect(focused());
          return true;
        case "u":
          app.undo(1);
          return true;
        case "r":
          app.showRules();
          return true;
        case "l":
          app.showLog();
          return true;
        case "m":
          app.toggle("listedMap");
          return true;
        case "t":
          if (!app.table.view.boards.length) break;
          app.turn();
          return true;
        case "o":
          if (app.since.length < 3) break;
          app.replay();
          return true;
        case "+":
        case "=":
        case "-":
          return this.stepTo(key === "-" ? ".less" : ".more");
        case "/":
          app.set({ finding: true, typed: "" });
          app.say("Find: type a name");
          return true;
      }
    }
    if (/[\p{L}\p{N} '-]/u.test(key)) {
      this.type((app.ui.typed ?? "") + key);
      return true;
    }
    return false;
  }

  // One more or less, where numbers are set; Enter then takes the one that is set.
  stepTo(button) {
    const stepper = this.app.root.querySelector(".stepper");
    if (!stepper) return false;
    stepper.querySelector(button).click();
    this.app.root.querySelector(".stepper .primary").focus();
    return true;
  }

  // A number chooses as soon as no other begins with it.
  digit(key) {
    const { app } = this;
    clearTimeout(this.timer);
    this.digits += key;
    const number = Number(this.digits);
    const options = app.table.options.filter(legal);
    const others = options.some((option) => String(option.number ?? "").startsWith(this.digits) && option.number !== number);
    if (!others) return this.take(), true;
    this.timer = setTimeout(() => this.take(), WAIT);
    return true;
  }

  take() {
    clearTimeout(this.timer);
    const { app } = this;
    const number = Number(this.digits);
    const option = this.digits ? app.table.options.find((one) => legal(one) && one.number === number) : app.ui.match;
    this.digits = "";
    app.set({ typed: "", finding: false, match: null });
    if (option) app.choose(option);
  }

  type(text) {
    const { app } = this;
    app.set({ typed: text, match: matching(app.table, text), finding: app.ui.finding && text !== "" });
    app.light(app.ui.match);
  }

  back() {
    const { app } = this;
    clearTimeout(this.timer);
    this.digits = "";
    if (app.held) return app.withdraw();
    if (app.ui.typed || app.ui.finding) return app.set({ typed: "", finding: false, match: null });
    if (app.ui.drawer) return app.set({ drawer: false });
    if (app.ui.tray?.picked.length) return app.choose(app.table.options.find((one) => one.action === app.ui.tray.picked.at(-1)));
    if (app.view.decision?.stages?.length && app.canUndo) app.undo(1);
  }

  // To the nearest thing in a direction; in reading order where there is none.
  walk([dx, dy], all) {
    const wanted = all ? "[data-thing], [data-tag], [data-action]" : '[data-walk="yes"], .done:not([disabled])';
    const nodes = [...this.app.root.querySelectorAll(wanted)].filter((node) => node.getClientRects().length);
    if (!nodes.length) return false;
    const at = document.activeElement;
    const number = nodes.indexOf(at);
    if (number < 0) return focus(nodes[0]);
    const here = middle(at);
    let best = null;
    for (const node of nodes) {
      if (node === at) continue;
      const there = middle(node);
      const [along, across] = dx ? [(there[0] - here[0]) * dx, Math.abs(there[1] - here[1])] : [(there[1] - here[1]) * dy, Math.abs(there[0] - here[0])];
      if (along < 4 || across > along * 3) continue;
      const cost = along + 2.2 * across;
      if (!best || cost < best.cost) best = { cost, node };
    }
    return focus(best?.node ?? nodes[(number + (dx + dy) + nodes.length) % nodes.length]);
  }
}

const middle = (node) => {
  const box = node.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

function focus(node) {
  node.focus({ focusVisible: true });
  node.scrollIntoView({ block: "nearest", inline: "nearest" });
  return true;
}

export const focused = () => document.activeElement?.closest?.("[data-thing], [data-tag], [data-action]") ?? null;

// The legal option that a text means: its name, or the only thing that it can be the beginning of.
export function matching(table, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return null;
  const options = table.options.filter((option) => legal(option));
  const called = (option) => [textOf(option).toLowerCase(), option.name.toLowerCase().replaceAll("_", " ")];
  return (
    options.find((option) => called(option).includes(wanted)) ??
    options.find((option) => called(option).some((one) => one.startsWith(wanted))) ??
    options.find((option) => called(option).some((one) => one.includes(wanted))) ??
    null
  );
}

// One stop of Tab for each region: where the focus was, else the first that can be chosen, else the first.
export function rove(root) {
  for (const region of root.querySelectorAll("[data-region]")) {
    const nodes = [...region.querySelectorAll("[data-thing], [data-tag], [data-walk]")];
    if (!nodes.length) continue;
    const at = nodes.find((node) => node === document.activeElement) ?? nodes.find((node) => node.dataset.walk === "yes") ?? nodes[0];
    for (const node of nodes) node.tabIndex = node === at ? 0 : -1;
  }
}
