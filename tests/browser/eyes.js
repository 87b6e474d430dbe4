// What a test looks at in the page.
window.eyes = {
  // Whether there is a question that can be answered now.
  ready() {
    const question = document.querySelector(".question:not(.wait):not(.sent):not(.over):not(.begin)");
    if (!question) return false;
    return Boolean(question.querySelector(".answer[data-action], .done:not([disabled])") || document.querySelector("main [data-walk=yes][data-action]"));
  },
  // What tells one state of the page from another.
  state() {
    const text = (selector) => document.querySelector(selector)?.textContent;
    const answers = [...document.querySelectorAll("main [data-walk=yes]")].map((one) => one.dataset.action ?? one.dataset.thing);
    return [text("#prompt"), text(".tally"), text(".log")?.slice(-400), document.querySelectorAll(".picked").length, document.querySelector(".question")?.className, text(".crumbs"), answers.join()].join("|");
  },
  // All that can be clicked to answer, as numbers.
  choices() {
    const all = document.querySelectorAll("main [data-action][data-walk=yes], main .stepper .primary");
    eyes.all = [...all].filter((one) => one.getClientRects().length && !one.classList.contains("picked"));
    return eyes.all.length;
  },
  // The numbers that stand on answers.
  numbers: () => [...document.querySelectorAll("main kbd:not(.tick)")].map((one) => one.textContent).filter((text) => /^\d+$/.test(text)),
  onAnswer: () => document.activeElement.dataset.walk === "yes" || document.activeElement.classList.contains("done"),
  // What stands in the question, and where the focus is.
  shown: () => `${document.querySelector(".question")?.outerHTML}; focus on ${document.activeElement.outerHTML}`,
  // What is wider or higher than its place.
  overflow() {
    const out = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) out.push(`page ${root.scrollWidth} x ${root.scrollHeight}`);
    for (const node of document.querySelectorAll("main, .question, aside, .bar")) {
      if (node.scrollWidth > node.clientWidth + 1) out.push(`${node.tagName} ${node.className} ${node.scrollWidth} > ${node.clientWidth}`);
    }
    for (const name of [".question", "main", ".bar"]) {
      if (document.querySelector(name)?.getBoundingClientRect().bottom > innerHeight + 1) out.push(`${name} is below the window`);
    }
    return out;
  },
  // What axe-core finds. What stands on a card or a unit is a sign, which its name says in words: that rule is for labels that are texts.
  async faults() {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: false } } });
    return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 200)}`).join(" ;; ")}`);
  },
};
