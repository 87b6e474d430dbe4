// Colours a sample as the editor does, with its own grammar of YAML, and compares what each word is.
"use strict";

const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const home = path.dirname(__dirname);
const manifest = JSON.parse(fs.readFileSync(path.join(home, "package.json"), "utf8"));
const ours = Object.fromEntries(manifest.contributes.grammars.map((own) => [own.scopeName, path.join(home, own.path)]));

async function main() {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = ours[scope] ?? grammarOfYaml(scope);
      return file === undefined ? null : parseRawGrammar(fs.readFileSync(file, "utf8"), "grammar.json");
    },
    getInjections: (scope) => (scope === "source.yaml" ? Object.keys(ours) : undefined),
  });
  const grammar = await registry.loadGrammar("source.yaml");
  const sample = JSON.parse(fs.readFileSync(path.join(__dirname, "sample.json"), "utf8"));
  let wrong = 0;
  for (const { lines, marks } of sample) {
    let state = INITIAL;
    const found = [];
    for (const line of lines) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      for (const token of tokens) found.push([line.slice(token.startIndex, token.endIndex), token.scopes]);
    }
    for (const [word, scope] of marks) {
      const own = found.filter(([text]) => text.trim() === word).map(([, scopes]) => scopes.join(" "));
      const not = scope.startsWith("!");
      const has = own.some((scopes) => scopes.includes(scope.replace("!", "")));
      if (own.length === 0 ? !not : has === not) {
        console.error(`\`${word}\` should ${not ? "not " : ""}be ${scope.replace("!", "")}: it is ${own.join(" | ") || "not apart"}`);
        wrong += 1;
      }
    }
  }
  console.log(wrong === 0 ? "the grammar colours as it should" : `${wrong} words are coloured otherwise`);
  process.exitCode = wrong === 0 ? 0 : 1;
}

function grammarOfYaml(scope) {
  const name = { "source.yaml": "yaml" }[scope];
  return name === undefined ? undefined : require.resolve(`tm-grammars/grammars/${name}.json`);
}

main();
