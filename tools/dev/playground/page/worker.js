// The studio in a worker: Python in WebAssembly, and the files of the games, which the browser keeps.
// Its memory is that which it had when the playground was made, with all read that each page needs.
import { fetched, laid, roomy } from "./files.js";
import create from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const ROOT = "/games";
const SOON = 300; // milliseconds after which what was written is kept
let keeps = true; // whether this is the page whose games the browser keeps
let timer;

async function begin() {
  const indexURL = new URL("pyodide/", import.meta.url).href;
  const [python, files] = await Promise.all([loadPyodide({ indexURL, _loadSnapshot: fetched("memory.bin"), createPyodideModule: roomy(create) }), fetched("files.bin")]);
  laid(python.FS, "/rulespec", files);
  python.FS.mkdirTree(ROOT);
  keeps = await mine();
  if (keeps) {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, ROOT);
    await synced(python, true).catch(() => (keeps = false));
  }
  return { python, studio: python.globals.get("begun")(ROOT), asked: python.globals.get("asked") };
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
