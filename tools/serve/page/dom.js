// A small virtual document: what is drawn is said again and again, and only what differs is touched, so that nothing flickers,
// scroll positions and the focus stay, and texts are always texts.

const SVG = "http://www.w3.org/2000/svg";
const KEYS = new WeakMap(); // of nodes that were drawn here
const PROPS = new WeakMap();

// A node to be drawn: h("b", {class: "x", key: 3, onclick: f}, "text", [more], null).
export function h(tag, props, ...kids) {
  return { tag, props: props ?? {}, kids: kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false && kid !== "") };
}

// Let an element hold exactly these nodes.
export function draw(parent, kids) {
  const before = document.activeElement;
  fill(parent, [kids].flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  if (before && before !== document.activeElement && before.isConnected && parent.contains(before)) before.focus({ preventScroll: true });
}

function fill(parent, kids) {
  const old = new Map();
  for (const node of parent.childNodes) old.set(KEYS.get(node), node);
  const counts = new Map();
  const wanted = [];
  for (const kid of kids) {
    const tag = kid.tag ?? "#text";
    let key;
    if (kid.props?.key === undefined) {
      const n = counts.get(tag) ?? 0;
      counts.set(tag, n + 1);
      key = `${tag} #${n}`;
    } else key = `${tag} ${kid.props.key}`;
    let node = old.get(key);
    if (node) old.delete(key);
    else node = create(kid, parent);
    KEYS.set(node, key);
    wanted.push([node, kid]);
  }
  for (const node of old.values()) node.remove();
  let at = parent.firstChild;
  for (const [node, kid] of wanted) {
    if (node === at) at = at.nextSibling;
    else if (node.isConnected && parent.moveBefore && node.parentNode === parent) parent.moveBefore(node, at);
    else parent.insertBefore(node, at);
    update(node, kid);
  }
}

function create(kid, parent) {
  if (kid.tag === undefined) return document.createTextNode("");
  const svg = kid.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  return svg ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
}

function update(node, kid) {
  if (kid.tag === undefined) {
    const text = String(kid);
    if (node.data !== text) node.data = text;
    return;
  }
  const was = PROPS.get(node) ?? {};
  for (const name of Object.keys(was)) if (!(name in kid.props)) put(node, name, undefined, was[name]);
  for (const [name, value] of Object.entries(kid.props)) if (value !== was[name] || name === "value" || name === "style") put(node, name, value, was[name]);
  PROPS.set(node, kid.props);
  fill(node, kid.kids);
}

function put(node, name, value, was) {
  if (name === "key") return;
  if (name.startsWith("on")) node[name] = value ?? null;
  else if (name === "style") {
    for (const one of Object.keys(was ?? {})) if (!(one in (value ?? {}))) node.style.removeProperty(one);
    for (const [one, text] of Object.entries(value ?? {})) if (was?.[one] !== text) node.style.setProperty(one, text);
  } else if (name === "value") {
    if (node.value !== String(value ?? "")) node.value = value ?? "";
  } else if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

// Class names, those that hold.
export const names = (...parts) => parts.filter(Boolean).join(" ");
