// What the page of the studio needs of the editor's libraries: all that is bundled, and nothing of our own.
export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from "@codemirror/commands";
export { yamlLanguage } from "@codemirror/lang-yaml";
export { bracketMatching, codeFolding, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentUnit, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
export { forceLinting, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { findReferencesKeymap, formatDocument, hoverTooltips, jumpToDefinition, LSPClient, LSPPlugin, renameSymbol, serverCompletion, serverDiagnostics, signatureHelp, Workspace } from "@codemirror/lsp-client";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { Annotation, Compartment, EditorSelection, EditorState, StateEffect, StateField, Text } from "@codemirror/state";
export { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, rectangularSelection } from "@codemirror/view";
export { tags } from "@lezer/highlight";
