// Games in links: the files as JSON, deflated, in the letters of base64 that addresses may hold.  What comes out of a link is text only.
const MOST_LETTERS = 200_000; // of a link
export const MOST_BYTES = 1_000_000; // of a game that is unpacked
const MOST_FILES = 60;
const FILE = /^(?!\.)[^/\\\x00-\x1f:]{1,120}(\/(?!\.)[^/\\\x00-\x1f:]{1,120}){0,3}$/;
export const SIGN = "#game=";

export async function packed(name, files) {
  const stream = new Blob([JSON.stringify({ name, files })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  const text = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (text.length > MOST_LETTERS) throw new Error("The game is too large for a link: save it as a file");
  return SIGN + text;
}

// The name and the files in the fragment of an address; an Error says what is wrong with it.
export async function unpacked(fragment) {
  if (!fragment.startsWith(SIGN)) throw new Error("This link holds no game");
  const text = fragment.slice(SIGN.length);
  if (text.length > MOST_LETTERS) throw new Error("The link is too long");
  if (!/^[\w-]+$/.test(text)) throw new Error("The link is damaged: some of its letters belong to no game");
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Error("The link is damaged: a part of it is missing");
  }
  return checked(await inflated(bytes));
}

// Never more than MOST_BYTES are unpacked, however small the link is.
async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch {
      throw new Error("The link is damaged: it cannot be unpacked");
    }
    if (part.done) break;
    size += part.value.length;
    if (size > MOST_BYTES) {
      reader.cancel().catch(() => {});
      throw new Error("The game in the link is too large");
    }
    parts.push(part.value);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(parts).arrayBuffer()));
  } catch {
    throw new Error("The link is damaged: what it holds is no game");
  }
}

export function checked(data) {
  const { name, files } = data ?? {};
  const sound = typeof name === "string" && /^[a-z][a-z0-9_]{0,60}$/.test(name) && files !== null && typeof files === "object" && !Array.isArray(files);
  if (!sound) throw new Error("What is in the link, or in the file, is no game");
  const all = Object.entries(files);
  if (!all.length || all.length > MOST_FILES || !all.every(([file, text]) => FILE.test(file) && typeof text === "string")) throw new Error("The files in it are not those of a game");
  return { name, files: Object.fromEntries(all) };
}
