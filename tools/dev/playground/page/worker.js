// The studio in a worker: Python in WebAssembly, and the files of the games, which the browser keeps.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ROOT = "/games";
const SOON = 300; // milliseconds after which what was written is kept
let keeps = true; // whether this is the page whose games the browser keeps
let timer;

async function begin() {
  const [python, packed] = await Promise.all([loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href }), fetch(new URL("rulespec.zip", import.meta.url)).then((reply) => reply.arrayBuffer())]);
  python.unpackArchive(packed, "zip", { extractDir: "/rulespec" });
  python.FS.mkdirTree(ROOT);
  keeps = await mine();
  if (keeps) {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, ROOT);
    await synced(python, true).catch(() => (keeps = false));
  }
  python.runPython(`import sys; sys.path[:0] = ["/rulespec", "/rulespec/packages"]`);
  const start = python.runPython("from pathlib import Path\nfrom tools.studio.alone import Alone, asked\nAlone");
  return { python, studio: start(python.runPython(`Path("${ROOT}")`)), asked: python.globals.get("asked") };
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
  if (keeps) timer = setTimeout(() => synced(python, false).catch((problem) => console.warn("It is not kept:", problem)), SOON);
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
