// A board can be turned, so that one's own side is near.

const OTHER = { n: "s", s: "n", e: "w", w: "e", ne: "sw", sw: "ne", nw: "se", se: "nw" };
const FEW = 3; // men of each side from which it is seen whose side is whose
const key = (table) => `rulespec-turned ${table}`;

// The view with all its boards turned.
export function turned(view) {
  const boards = view.boards.map((board) => {
    const [wide, high] = [Math.max(...board.cells.map((cell) => cell.x)), Math.max(...board.cells.map((cell) => cell.y))];
    const cells = board.cells.map((cell) => ({ ...cell, x: wide - cell.x, y: high - cell.y }));
    const edges = board.edges && Object.fromEntries(Object.entries(board.edges).map(([way, colour]) => [OTHER[way], colour]));
    return { ...board, cells, ...(edges ? { edges } : {}), odd: (wide + high) % 2 };
  });
  return { ...view, boards };
}

// Whether a board stands better turned: the men of who looks at it begin above those of the others.
function wanted(view) {
  const colour = view.seats.find((seat) => seat.you)?.colour;
  const colours = new Set(view.seats.map((seat) => seat.colour));
  return view.boards.some((board) => {
    const rows = (own) => board.cells.filter((cell) => colours.has(cell.colour) && (cell.colour === colour) === own).map((cell) => cell.y);
    const [mine, theirs] = [rows(true), rows(false)];
    return mine.length > FEW && theirs.length > FEW && Math.max(...mine) < Math.min(...theirs);
  });
}

const SAID = new Map(); // by table, whether its boards are turned

// Whether the boards of a table are turned: as somebody has said, else as they stand better when they are seen first.
export function isTurned(table, view) {
  if (!SAID.has(table)) SAID.set(table, read(table));
  if (SAID.get(table) === null && view.boards.length) keep(table, wanted(view));
  return SAID.get(table) === "yes";
}

export function keep(table, yes) {
  SAID.set(table, yes ? "yes" : "no");
  try {
    sessionStorage.setItem(key(table), SAID.get(table));
  } catch {
    // a browser that keeps nothing: it holds for this page
  }
}

function read(table) {
  try {
    return sessionStorage.getItem(key(table));
  } catch {
    return null;
  }
}
