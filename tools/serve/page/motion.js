// What moves is seen to move: things that lie elsewhere than before glide there. Nothing does where motion is not wanted.

const TIME = 260; // milliseconds
const MOST = 24; // things that glide at once

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "off";

// Where each thing and zone is now.
export function places(root) {
  const out = new Map();
  if (still()) return out;
  for (const node of root.querySelectorAll("[data-thing], [data-zone]")) {
    const box = node.getBoundingClientRect();
    if (box.width && box.height) out.set(node.dataset.zone ? `zone ${node.dataset.zone}` : node.dataset.thing, box);
  }
  return out;
}

// Let things glide from where they were. What was not seen comes from a zone of the same change that has fewer, if there is one.
export function glide(root, before, table, last) {
  if (!before.size || still()) return;
  const shrunk = Object.entries(last?.zones ?? {}).filter(([id, zone]) => (table.zones[id]?.count ?? 0) < zone.count);
  let count = 0;
  for (const node of root.querySelectorAll(".card[data-thing], .strip[data-thing]")) {
    const now = node.getBoundingClientRect();
    let was = before.get(node.dataset.thing);
    if (!was) {
      const kind = node.dataset.thing.split("/")[0];
      const source = shrunk.find(([, zone]) => zone.kind === kind);
      was = source && before.get(`zone ${source[0]}`);
      if (!was) {
        if (count++ < MOST) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
        continue;
      }
      was = { left: was.left + was.width / 2 - now.width / 2, top: was.top + was.height / 2 - now.height / 2 };
    }
    const [dx, dy] = [was.left - now.left, was.top - now.top];
    if (Math.hypot(dx, dy) < 12 || count++ >= MOST) continue;
    node.animate([{ translate: `${dx}px ${dy}px`, zIndex: 5 }, { translate: "0 0", zIndex: 5 }], { duration: TIME, easing: "cubic-bezier(.2,.7,.3,1)" });
  }
}
