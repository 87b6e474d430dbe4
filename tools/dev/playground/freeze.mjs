// Done when the playground is made: Python is started, given all files, and has done once what each page does first; its memory then is kept,
// so that a page begins there.  node freeze.mjs PYODIDE FOLDER OUT: the folder of Pyodide, that of the files, that of what is made.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { joined, laid } from "./page/files.js";

process.on("uncaughtException", (problem) => {
  console.error(String(problem)); // without the line where it is: that is all of Pyodide
  process.exit(1);
});
const [pyodide, folder, out] = process.argv.slice(2).map((one) => resolve(one));
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const here = (name) => new URL(name, import.meta.url);
const write = (name, bytes) => writeFileSync(join(out, name), gzipSync(bytes, { level: 6 }));

function below(place, above = "") {
  const found = readdirSync(place, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return found.flatMap((one) => (one.isDirectory() ? below(join(place, one.name), `${above}${one.name}/`) : [[above + one.name, new Uint8Array(readFileSync(join(place, one.name)))]]));
}

// Each module as this Python compiles it, in place of its text.
async function compiled(files) {
  const python = await loadPyodide();
  laid(python.FS, "/rulespec", joined(files));
  python.runPython(readFileSync(here("compiling.py"), "utf8"));
  const failed = python.globals.get("compiled")("/rulespec");
  if (failed) throw new Error(failed);
  return files.map(([name, bytes]) => (name.endsWith(".py") ? [`${name}c`, python.FS.readFile(`/rulespec/${name}c`)] : [name, bytes]));
}

const files = joined(await compiled(below(folder)));
write("files.bin", files);
const python = await loadPyodide({ _makeSnapshot: true });
laid(python.FS, "/rulespec", files);
python.runPython(`
import sys
sys.path[:0] = ["/rulespec", "/rulespec/packages"]
sys.dont_write_bytecode = True
from tools.studio.warming import asked, begun, looked, warmed
`);
const warmed = python.globals.get("warmed");
await warmed();
warmed.destroy();
write("memory.bin", python.makeMemorySnapshot());
