// The editor: CodeMirror with the table's colours, one state for each file, so that each has what can be undone of its own.
import {
  acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap, defaultKeymap, drawSelection, EditorState, EditorView, foldGutter, foldKeymap,
  highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, HighlightStyle, history, historyKeymap, indentOnInput, indentUnit, indentWithTab, keymap, LanguageSupport,
  lineNumbers, lintGutter, lintKeymap, rectangularSelection, redo, search, searchKeymap, syntaxHighlighting, tags, undo, yamlLanguage,
} from "./libraries.js";

const NONCE = document.querySelector('meta[name="style-nonce"]').content;

const theme = EditorView.theme({
  "&": { fontSize: "13.5px" },
  "&.cm-focused": { outline: "none" }, // the cursor and its line say where one is
  ".cm-scroller": { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace', lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--accent) 26%, transparent)" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--felt) 70%, transparent)" },
  ".cm-tooltip, .cm-panels": { background: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px" },
  ".cm-tooltip": { maxWidth: "min(60ch, 90vw)", maxHeight: "50vh", overflow: "auto" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { padding: "4px 10px" },
  ".cm-matchingBracket": { outline: "1px solid var(--accent)" },
  ".cm-searchMatch": { background: "var(--yellow-soft)" },
  ".cm-panel input, .cm-panel button": { font: "inherit" },
});

const colours = HighlightStyle.define([
  { tag: tags.definition(tags.propertyName), color: "var(--blue-ink)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--dim)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--green-ink)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--purple-ink)" },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: "var(--dim)" },
  { tag: [tags.keyword, tags.meta, tags.typeName], color: "var(--orange-ink)" },
]);

// Undo, or do again, the last change of a state; the state after it, null where there is none.
export function stepped(what, state) {
  let found = null;
  ({ undo, redo })[what]({ state, dispatch: (transaction) => (found = transaction.state) });
  return found;
}

export class Editor {
  // `typed` is called with each new state, `keys` are bindings of the page's own.
  constructor(parent, { typed, keys }) {
    this.typed = typed;
    this.keys = keys;
    this.view = new EditorView({ parent, state: this.state("", []) });
  }

  // A state of a text; `more` is what belongs to its file.
  state(text, more, readOnly = false) {
    return EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(NONCE),
        keymap.of([...this.keys, { key: "Tab", run: acceptCompletion }, ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        lineNumbers(), foldGutter(), codeFolding(), lintGutter(), history(), drawSelection(), rectangularSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(),
        highlightSelectionMatches(), search({ top: true }), indentUnit.of("  "), EditorState.tabSize.of(2), EditorView.lineWrapping, new LanguageSupport(yamlLanguage), syntaxHighlighting(colours), theme,
        autocompletion(), // of every file: what is worked out late looks for it, whatever is shown by then
        EditorState.readOnly.of(readOnly), EditorView.contentAttributes.of({ "aria-label": "The text of the file", tabindex: "0" }),
        EditorView.updateListener.of((update) => this.typed(update)),
        more,
      ],
    });
  }

  show(state) {
    this.view.setState(state);
  }

  // Undo, or do again, in the file that is shown: whether there was something.
  step(what) {
    return { undo, redo }[what](this.view);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Give the file another text, as a change that can be undone; what is the same stays.
  replace(text) {
    const old = this.text;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start++;
    let end = 0;
    while (end < old.length - start && end < text.length - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    if (old !== text) this.view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) } });
  }

  // Put the cursor on a line and a column, from 1, and show it.
  go(line, column = 1) {
    const { doc } = this.view.state;
    const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    const anchor = Math.min(at.to, at.from + column - 1);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}
