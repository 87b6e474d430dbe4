// Starts `rulespec lsp` and lets it answer for the YAML files and tables of games; it leaves all other files alone itself.
"use strict";

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const INSTALL = "pip install 'rulespec[lsp]'";
const PLAY = "rulespec.playFromCase";
const SELECTOR = [
  { scheme: "file", language: "yaml" },
  { scheme: "file", pattern: "**/*.csv" },
];
let client;

/** How the server is started: the command of the settings, with `lsp`. */
function server() {
  return { command: workspace.getConfiguration("rulespec").get("command"), args: ["lsp"] };
}

/** Have the server do a command; one that plays is run in a terminal. */
async function inTerminal(command, args, next) {
  const answer = await next(command, args);
  if (command === PLAY && answer?.command) {
    const words = answer.command.replace(/^rulespec/, server().command);
    const terminal = window.createTerminal("Rulespec");
    terminal.show();
    terminal.sendText(words);
  }
  return answer;
}

/** Start the server; where that cannot be, say what is missing. */
async function start() {
  const run = server();
  client = new LanguageClient("rulespec", "Rulespec", run, {
    documentSelector: SELECTOR,
    synchronize: { configurationSection: "rulespec" },
    middleware: { executeCommand: inTerminal },
  });
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    window.showErrorMessage(
      `\`${run.command} lsp\` cannot be started (${problem.message}). Install it, \`${INSTALL}\`, ` +
        "and name its command in the setting `rulespec.command`.",
    );
  }
}

/** End the server, if it runs. */
async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("rulespec.restart", async () => {
      await stop();
      await start();
    }),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("rulespec.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
