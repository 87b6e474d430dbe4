// How the page reaches its server; the playground, whose server is in the page itself, has another file of this name.

// Where a path of the server is: it may lie below a path of another one, and this file lies in its `/page/`.
export const address = (path) => new URL(`..${path}`, import.meta.url).href;
export const connect = (path) => new WebSocket(address(path).replace(/^http/, "ws"));

// By what the server knows who may come in, and which table the page shows.
export const token = () => location.hash.slice(1);
export const tableHere = () => location.pathname.split("/").at(-1);

// Where the page of a table is, by the link that the server gives.
export const pageOf = (link) => link.slice(1);
