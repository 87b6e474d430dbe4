// The studio in a worker: Python, and the files of the games, which the browser keeps.
import { started } from "./python.js";

const ROOT = "/games";
const SOON = 300; // milliseconds after which what was written is kept
let keeps = true; // whether this is the page whose games the browser keeps
let timer, linter;
let keeping = Promise.resolve();

async function begin() {
  const python = await started();
  python.FS.mkdirTree(ROOT);
  keeps = await mine();
  if (keeps) {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, ROOT);
    await synced(python, true).catch(() => (keeps = false));
  }
  const studio = python.globals.get("begun")(ROOT, (text) => beside(text, (found) => studio.elsewhere.hear(found)));
  return { python, studio, asked: python.globals.get("asked") };
}

// Another worker looks through games: it comes when it is wanted first, which is after the first table.
function beside(text, hear) {
  linter ??= new Worker(new URL("linter.js", import.meta.url), { type: "module" });
  linter.onmessage = ({ data }) => hear(data);
  linter.postMessage(text);
}

// One page keeps games: two would overwrite each other's.
function mine() {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((done) => {
    navigator.locks.request("rulespec-playground", { ifAvailable: true }, (lock) => {
      done(lock !== null);
      return lock && new Promise(() => {});
    });
  });
}

function synced(python, read) {
  return new Promise((done, fail) => python.FS.syncfs(read, (problem) => (problem ? fail(problem) : done())));
}

function keep(python) {
  clearTimeout(timer);
  if (keeps) timer = setTimeout(() => (keeping = keeping.then(() => synced(python, false)).catch((problem) => console.warn("It is not kept:", problem))), SOON);
}

const begun = begin();

self.onmessage = async ({ data: { path, ask, port } }) => {
  let all;
  try {
    all = await begun;
  } catch (problem) {
    port.postMessage(ask ? { why: `Python does not start in this browser: ${problem}` } : { code: 4500 });
    return;
  }
  const { python, studio, asked } = all;
  if (ask) {
    port.postMessage({ keeps, ...JSON.parse(asked(studio, JSON.stringify(ask))) });
    keep(python);
    return;
  }
  const number = studio.connect(path, (text) => port.postMessage({ text }), (code) => port.postMessage({ code }));
  port.onmessage = ({ data }) => {
    if (data.gone) return studio.disconnect(number);
    studio.hear(number, data.text);
    keep(python);
  };
  port.postMessage({ open: true });
};
