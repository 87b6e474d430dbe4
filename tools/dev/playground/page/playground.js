// The playground: it starts the studio in the page, brings games in from links and files, and gives them away.
import { MOST_BYTES, SIGN, checked, packed, unpacked } from "./links.js";
import { ask } from "./page/socket.js";

const said = document.getElementById("carried");
const say = (text) => (said.textContent = text);

async function brought(game) {
  const { game: name } = await ask({ take: await game });
  return name;
}

async function start() {
  say("Python is coming, once: some megabytes …");
  const begun = performance.now();
  let note = "";
  try {
    const { keeps } = await ask({ hello: true });
    if (!keeps) note = "The playground is open in another tab, or this browser keeps nothing: what you write here is gone with this tab.";
    if (location.hash.startsWith(SIGN)) await brought(unpacked(location.hash));
    else if (location.hash.length > 1) note = "This link holds no game";
  } catch (problem) {
    note = problem.message;
  }
  history.replaceState(null, "", location.pathname + location.search);
  say(note);
  document.documentElement.dataset.started = String(Math.round(performance.now() - begun));
  await import("./studio/studio.js");
}

async function link() {
  const { name, files } = await ask({ give: true });
  const address = location.href.split("#")[0] + (await packed(name, files));
  const field = document.getElementById("link");
  field.value = address;
  field.hidden = false;
  field.select();
  await navigator.clipboard?.writeText(address).catch(() => {});
  say("This link holds the whole game, as it stands");
}

async function save() {
  const { name, files } = await ask({ give: true });
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([JSON.stringify({ name, files }, null, 1)], { type: "application/json" }));
  anchor.download = `${name}.rulespec.json`;
  anchor.click();
  URL.revokeObjectURL(anchor.href);
  say(`${anchor.download} holds all files of the game`);
}

async function open(file) {
  if (file.size > MOST_BYTES) throw new Error("The file is too large");
  let data;
  try {
    data = JSON.parse(await file.text());
  } catch {
    throw new Error("The file holds no game that was saved here");
  }
  await brought(checked(data));
  location.reload();
}

const tried = (what) => () => Promise.resolve(what()).catch((problem) => say(problem.message));
const chosen = document.getElementById("chosen");
document.getElementById("give").addEventListener("click", tried(link));
document.getElementById("save").addEventListener("click", tried(save));
document.getElementById("open").addEventListener("click", () => chosen.click());
chosen.addEventListener("change", tried(() => open(chosen.files[0])));
addEventListener("hashchange", () => location.hash.startsWith(SIGN) && location.reload());
start();
