// What can be undone in all files of a game, the newest first: a run of changes in one file, or one change of several, as another name is.
const TOGETHER = 200; // milliseconds within which changes of several files are one

export class Steps {
  // `text` gives the text of a file, `undo` and `redo` do so once in a file and tell whether there was something.
  constructor({ text, undo, redo }) {
    Object.assign(this, { text, does: { undo, redo } });
    this.forget();
  }

  forget() {
    this.done = []; // {files: Map(file -> its text before), several, when}
    this.undone = []; // Map(file -> its text before it was undone)
  }

  // A file is changed by its author: it had this text before; `several` where others are changed with it.
  changed(file, before, several) {
    const top = this.done.at(-1);
    const when = performance.now();
    this.undone = [];
    if (several && top?.several && when - top.when < TOGETHER) {
      if (!top.files.has(file)) top.files.set(file, before);
    } else if (several || !top || top.several || !top.files.has(file)) this.done.push({ files: new Map([[file, before]]), several, when });
  }

  // Undo once: the files that are others now.
  back() {
    const step = this.done.at(-1);
    if (!step) return [];
    const after = new Map([...step.files.keys()].map((file) => [file, this.text(file)]));
    this.walk("undo", step.files, step.several);
    if ([...step.files].every(([file, before]) => this.text(file) === before) || [...after].every(([file, text]) => this.text(file) === text)) this.done.pop();
    const changed = [...after.keys()].filter((file) => this.text(file) !== after.get(file));
    if (!changed.length) return this.back();
    this.undone.push({ files: after, several: step.several });
    return changed;
  }

  // The same the other way round.
  forth() {
    const step = this.undone.pop();
    if (!step) return [];
    const before = new Map([...step.files.keys()].map((file) => [file, this.text(file)]));
    this.walk("redo", step.files, step.several);
    const top = this.done.at(-1);
    if (step.several || !top || top.several || ![...step.files.keys()].every((file) => top.files.has(file))) this.done.push({ files: before, several: step.several, when: 0 });
    return [...before.keys()].filter((file) => this.text(file) !== before.get(file));
  }

  // Once in a single file; in several until each has its text.
  walk(what, files, several) {
    for (const [file, text] of files) while (this.does[what](file) && several && this.text(file) !== text);
  }
}
