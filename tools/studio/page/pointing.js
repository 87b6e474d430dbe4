// From the table to the text: who points at something there while the mode is on, or with Alt, is shown the line that made it.
// And from the text to the table: what the line of the cursor made is outlined there.

const THINGS = "[data-thing], [data-tag], [data-zone], .whyno, .answer.no, #prompt";

// What a node of the table is, as the server is asked for it; null for what nobody asks for.
function asked(node) {
  const at = node?.closest?.(THINGS);
  if (!at) return null;
  if (at.matches("#prompt")) return { what: "question", name: "" };
  if (at.matches(".whyno, .answer.no")) return { what: "why", name: at.title || at.textContent };
  if (at.dataset.zone && !at.dataset.thing) return { what: "zone", name: at.dataset.zone };
  return { what: "thing", name: at.dataset.thing ?? at.dataset.tag };
}

export class Pointing {
  constructor(frame, app) {
    this.frame = frame;
    this.app = app;
    this.on = false;
    this.lit = [];
    frame.addEventListener("load", () => this.loaded());
  }

  get inner() {
    return this.frame.contentDocument;
  }

  loaded() {
    const { inner } = this;
    inner.addEventListener("click", (event) => (this.on || event.altKey) && this.point(event), true);
    inner.addEventListener("keydown", (event) => {
      if (event.altKey && event.key === "Enter") this.point(event);
      else if (event.key === "Escape" && this.on) this.toggle();
      else this.app.key(event);
    }, true);
    this.cursor();
  }

  toggle() {
    this.on = !this.on;
    if (this.inner) this.inner.documentElement.style.cursor = this.on ? "help" : "";
    this.app.redraw();
  }

  async point(event) {
    const question = asked(event.type === "keydown" ? this.inner.activeElement : event.target);
    if (!question) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.on) this.toggle();
    const reply = await this.app.wire.ask({ type: "where", ...question });
    if (reply.type === "where") this.app.goTo(reply.file, reply.line, reply.column);
    else this.app.say(reply.why);
  }

  // Soon after the cursor has come to a line, outline what that made.
  moved(file, line) {
    if (this.file === file && this.line === line) return;
    Object.assign(this, { file, line });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.cursor(), 300);
  }

  async cursor() {
    if (!this.file || !this.app.game) return;
    const { file, line } = this;
    const reply = await this.app.wire.ask({ type: "lit", file, line });
    if (reply.type === "lit" && this.file === file && this.line === line) this.light(reply);
  }

  light({ things, zones, asks }) {
    for (const node of this.lit) node.style.removeProperty("outline");
    const quoted = (name) => CSS.escape(name);
    const wanted = [...things.map((one) => `[data-thing="${quoted(one)}"]`), ...zones.flatMap((one) => [`[data-zone="${quoted(one)}"]`, `[data-zone^="${quoted(one)}."]`]), ...(asks ? ["#prompt"] : [])];
    this.lit = wanted.length && this.inner ? [...this.inner.querySelectorAll(wanted.join(", "))] : [];
    for (const node of this.lit) node.style.setProperty("outline", "3px dashed var(--accent)");
  }
}
