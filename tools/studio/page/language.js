// The language server, over the page's connection: the files that it has open stay open, so that it knows all that is not saved.
import { hoverTooltips, keymap, jumpToDefinition, LSPClient, LSPPlugin, renameSymbol, serverCompletion, serverDiagnostics, signatureHelp, formatDocument, Workspace } from "./libraries.js";

// What the server has marked up: these tags and no attribute are left of it, whatever a text says.
const TAGS = "p|code|pre|em|strong|ul|ol|li|h[1-6]|br|hr|blockquote|table|thead|tbody|tr|th|td|del|span";
const OTHERS = new RegExp(`<(?!/?(?:${TAGS})>)`, "g");
const clean = (html) => html.replace(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/gi, "<$1$2>").replace(OTHERS, "&lt;");
const policy = globalThis.trustedTypes?.createPolicy("rulespec-studio", { createHTML: clean }) ?? { createHTML: clean };

class Files extends Workspace {
  constructor(client, display, hidden) {
    super(client);
    this.files = [];
    this.display = display;
    this.hidden = hidden;
  }

  syncFiles() {
    const out = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!plugin || plugin.uri !== file.uri || plugin.unsyncedChanges.empty) continue;
      out.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return out;
  }

  openFile(uri, languageId, view) {
    const known = this.getFile(uri);
    if (known) {
      known.view = view;
      return;
    }
    const file = { uri, languageId, version: 0, doc: view.state.doc, view, getView: () => file.view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri) {
    const file = this.getFile(uri);
    if (file) file.view = null;
  }

  // Another game is shown: nothing of this one is open any more.
  forget() {
    for (const file of this.files) this.client.didClose(file.uri);
    this.files = [];
  }

  async requestFile(uri) {
    await this.display(uri);
    return this.getFile(uri);
  }

  // A file that is not shown is changed as well: `hidden` does so, and gives its text.
  updateFile(uri, update) {
    const file = this.getFile(uri);
    if (file?.view) file.view.dispatch(update);
    else if (file) this.hidden(uri, update);
  }

  // A file that is not shown has this text, which the server is told.
  behind(uri, doc) {
    const file = this.getFile(uri);
    if (!file) {
      const made = { uri, languageId: "yaml", version: 0, doc, view: null, getView: () => made.view };
      this.files.push(made);
      this.client.didOpen(made);
    } else if (!file.view && !file.doc.eq(doc)) {
      file.doc = doc;
      this.client.notification("textDocument/didChange", { textDocument: { uri, version: ++file.version }, contentChanges: [{ text: doc.toString() }] });
    }
  }

  displayFile(uri) {
    return this.display(uri);
  }
}

export class Language {
  // `found` is called with the findings of a file, `display` shows a file and gives its view, `hidden` changes one that is not shown;
  // `whole` has all files read, which another name may stand in.
  constructor({ send, found, display, hidden, whole }) {
    this.heard = new Set();
    this.send = send;
    this.client = new LSPClient({
      timeout: 15000,
      workspace: (client) => (this.files = new Files(client, display, hidden)),
      sanitizeHTML: (html) => policy.createHTML(html),
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_, { uri, diagnostics }) => {
          found(uri, diagnostics);
          return false;
        },
        "window/showMessage": () => true,
        "window/logMessage": () => true,
      },
      extensions: [
        serverDiagnostics(), serverCompletion(), hoverTooltips(), signatureHelp(),
        keymap.of([{ key: "F12", run: jumpToDefinition, preventDefault: true }, { key: "F2", run: (view) => Boolean(whole().then(() => renameSymbol(view))), preventDefault: true }, { key: "Shift-Alt-f", run: formatDocument, preventDefault: true }]),
      ],
    });
  }

  // The connection is there, or there again.
  connect() {
    if (this.client.connected) this.client.disconnect();
    this.client.connect({ send: (text) => this.send(text), subscribe: (hears) => this.heard.add(hears), unsubscribe: (hears) => this.heard.delete(hears) });
  }

  hear(text) {
    for (const hears of this.heard) hears(text);
  }

  of(uri) {
    return this.client.plugin(uri, "yaml");
  }
}
