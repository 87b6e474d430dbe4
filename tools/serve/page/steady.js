// What is around the table keeps the room that it has needed in this window, so that the table itself stays where it is.

const KEEP = [".bar", ".others", ".question", ".mine"];
const GIVE = [".others", ".mine", ".question", ".bar"];
const SCROLLS = 560; // pixels of height up to which the whole page scrolls
const PART = 0.3; // of the height of the window: what needs more gives it back
const NARROW = 600; // pixels of width of a phone
const LEAST = 700; // pixels of height from which a question has room for two lines of answers from the beginning
const [BOARD, CARDS] = [150, 125]; // pixels that those take, and what is said under them

export class Steady {
  constructor() {
    this.window = "";
    this.room = new Map();
  }

  // Give each part the room that it has had. To be called when the page is drawn, before anything is fitted into what is left.
  keep(root) {
    const now = `${innerWidth} ${innerHeight}`;
    if (now !== this.window) {
      this.window = now;
      this.room.clear();
    }
    for (const name of KEEP) {
      const node = root.querySelector(name);
      if (!node) continue;
      node.style.minHeight = "";
      if (node.matches(".begin, .over, .walking")) continue;
      const base = name !== ".question" || innerHeight < LEAST || innerWidth <= NARROW ? 0 : root.querySelector(".table.wide") ? BOARD : CARDS;
      const high = Math.max(base, this.room.get(name) ?? 0, node.getBoundingClientRect().height);
      if (high <= PART * innerHeight) this.room.set(name, high);
      const kept = this.room.get(name);
      if (kept) node.style.minHeight = `${kept}px`;
    }
    if (innerHeight > SCROLLS) this.yield(root);
  }

  // Where there is not enough for all, they give it back, one after the other: nothing may lie below the window.
  yield(root) {
    const bottom = root.querySelector("main")?.lastElementChild;
    for (const name of GIVE) {
      if (!bottom || (document.documentElement.scrollHeight <= innerHeight && bottom.getBoundingClientRect().bottom <= innerHeight + 1)) return;
      const node = root.querySelector(name);
      if (node) node.style.minHeight = "";
      this.room.delete(name);
    }
  }
}
