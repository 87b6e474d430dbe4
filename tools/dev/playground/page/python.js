// Python in WebAssembly.  Its memory is that which it had when the playground was made, with all read that each page needs.
import { fetched, laid, roomy } from "./files.js";
import create from "./pyodide/pyodide.asm.mjs";
import { loadPyodide } from "./pyodide/pyodide.mjs";

export async function started() {
  const indexURL = new URL("pyodide/", import.meta.url).href;
  const [python, files] = await Promise.all([loadPyodide({ indexURL, _loadSnapshot: fetched("memory.bin"), createPyodideModule: roomy(create) }), fetched("files.bin")]);
  laid(python.FS, "/rulespec", files);
  return python;
}
