// The files that Python finds: one after the other in a single package, their names and sizes before them, all of it squeezed.
const HEAD = 4; // bytes that say how long the list is

// What a server gives, unpacked.
export async function fetched(name) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok) throw new Error(`${name} is not there`);
  return new Uint8Array(await new Response(reply.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

export function joined(files) {
  const list = new TextEncoder().encode(JSON.stringify(files.map(([name, bytes]) => [name, bytes.length])));
  const size = files.reduce((all, [, bytes]) => all + bytes.length, HEAD + list.length);
  const out = new Uint8Array(size);
  new DataView(out.buffer).setUint32(0, list.length, true);
  out.set(list, HEAD);
  let at = HEAD + list.length;
  for (const [, bytes] of files) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

// Put the files of a package below a folder.
export function laid(FS, folder, all) {
  const length = new DataView(all.buffer, all.byteOffset).getUint32(0, true);
  const list = JSON.parse(new TextDecoder().decode(all.subarray(HEAD, HEAD + length)));
  const made = new Set();
  let at = HEAD + length;
  for (const [name, size] of list) {
    const path = `${folder}/${name}`;
    const above = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(above)) FS.mkdirTree(above);
    made.add(above);
    FS.writeFile(path, all.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}

// The start of a memory needs as much room as it has: this Pyodide makes a small one, and lets it grow.
export const roomy = (create) => async (settings) => {
  const module = await create(settings);
  while (module.HEAP8.length < settings.INITIAL_MEMORY) module._malloc(1 << 22);
  return module;
};
