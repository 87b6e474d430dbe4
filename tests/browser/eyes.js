// What a test looks at in the page.
window.eyes = {
  // Whether there is a question that can be answered now.
  ready() {
    const question = document.querySelector(".question:not(.wait):not(.sent):not(.over):not(.begin)");
    if (!question) return false;
    return Boolean(question.querySelector(".answer[data-action], .done:not([disabled])") || document.querySelector("main [data-walk=yes][data-action]"));
  },
  // What tells one state of the page from another; what was sent and has not come back is none.
  state() {
    const text = (selector) => document.querySelector(selector)?.textContent;
    const answers = [...document.querySelectorAll("main [data-walk=yes]")].map((one) => one.dataset.action ?? one.dataset.thing);
    return [text("#prompt"), text(".tally"), text(".log")?.slice(-400), document.querySelectorAll(".picked").length, document.querySelector(".question")?.className, text(".crumbs"), answers.join()].join("|");
  },
  // Wait until something holds.
  async until(holds, patience) {
    const end = performance.now() + patience;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`it did not happen: ${eyes.shown()}`);
      await new Promise((done) => setTimeout(done, 5));
    }
  },
  over: () => Boolean(document.querySelector(".question.over")),
  // Wait until there is a question to answer, or the end; whether it is a question.
  asked: (patience) => eyes.until(() => eyes.over() || eyes.ready(), patience).then(() => !eyes.over()),
  // Wait until the page is not as it was, and what was sent has come back.
  changed: (before, patience) => eyes.until(() => eyes.over() || (!document.querySelector(".question.sent") && eyes.state() !== before), patience),
  // All that can be clicked to answer.
  choices() {
    const all = document.querySelectorAll("main [data-action][data-walk=yes], main .stepper button:not([disabled])");
    return [...all].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.classList.contains("picked"));
  },
  // Of several the button that gives them, where it can be pressed.
  done: () => document.querySelector(".done:not([disabled])"),
  // Where the mouse has to go for one of the answers, or for Done: a point of it that nothing else covers.  `chance` is two numbers from 0 to 1.
  async aim([first, second], again = true) {
    const [done, all] = [eyes.done(), eyes.choices()];
    const node = done && (first < 0.5 || !all.length) ? done : all[Math.floor(second * all.length)];
    if (!node) throw new Error(`nothing can be clicked: ${eyes.shown()}`);
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = node.getBoundingClientRect();
    for (const part of [0.5, 0.2, 0.8, 0.05, 0.95]) {
      for (const other of [0.5, 0.15, 0.85]) {
        const [x, y] = [box.left + box.width * part, box.top + box.height * other];
        if (node.contains(document.elementFromPoint(x, y))) return [x, y];
      }
    }
    if (again) return eyes.still().then(() => eyes.aim([first, second], false));
    const middle = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    throw new Error(`${node.outerHTML} is covered by ${middle?.outerHTML.slice(0, 300)}`);
  },
  // Wait until what flies to its place is there; what moves for ever is not waited for.
  still: () => Promise.allSettled(document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished)),
  // What a person at the keyboard looks at before a key.
  keyboard: () => ({ done: Boolean(eyes.done()), numbers: eyes.numbers() }),
  // The numbers that stand on answers.
  numbers: () => [...document.querySelectorAll("main kbd:not(.tick), main .answer.number")].map((one) => one.textContent).filter((text) => /^\d+$/.test(text)),
  onAnswer: () => document.activeElement.dataset.walk === "yes" || document.activeElement.classList.contains("done"),
  // Where all stands that can be pressed, and what is around it.
  places() {
    const all = document.querySelectorAll("main, .question, aside, .bar, main [data-walk=yes]");
    const boxes = [...all].map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height].map(Math.round));
    return `${document.documentElement.scrollHeight} ${boxes.join()}`;
  },
  // Wait until the page stands still: what is fitted to its place has its size a frame after it was drawn, and moves what is beside it.
  async settled(patience = 20000) {
    const end = performance.now() + patience;
    for (let before = null, now = eyes.places(); now !== before; ) {
      if (performance.now() > end) throw new Error(`the page does not stand still: ${before} became ${now}`);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      [before, now] = [now, eyes.places()];
    }
  },
  // What stands in the question, and where the focus is.
  shown: () => `${document.querySelector(".question")?.outerHTML}; focus on ${document.activeElement.outerHTML}`,
  // What in a node ends the furthest to the right.
  widest(node) {
    const ends = [...node.querySelectorAll("*")].map((one) => [one.getBoundingClientRect().right, one.outerHTML.slice(0, 200)]);
    return ends.sort((a, b) => b[0] - a[0]).slice(0, 2).join(", ");
  },
  // What is wider or higher than its place.
  overflow() {
    const out = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) out.push(`page ${root.scrollWidth} x ${root.scrollHeight}`);
    for (const node of document.querySelectorAll("main, .question, aside, .bar")) {
      if (node.scrollWidth > node.clientWidth + 1) out.push(`${node.tagName} ${node.className} ${node.scrollWidth} > ${node.clientWidth}: ${eyes.widest(node)}`);
    }
    for (const name of [".question", "main", ".bar"]) {
      if (document.querySelector(name)?.getBoundingClientRect().bottom > innerHeight + 1) out.push(`${name} is below the window`);
    }
    const middle = document.querySelector(".centre:has([data-walk=yes])");
    if (middle?.clientHeight < 100) out.push(`the middle, where the answers are, has ${middle.clientHeight} pixels`);
    return out;
  },
  // What axe-core finds. What stands on a card or a unit is a sign, which its name says in words: that rule is for labels that are texts.
  async faults() {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: false } } });
    return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary.slice(0, 200)}`).join(" ;; ")}`);
  },
};
