// Another Python, which looks through games while the first one hears what is typed: a text comes, and what is found goes back.
import { started } from "./python.js";

const begun = started();

self.onmessage = async ({ data }) => {
  let found = "";
  try {
    found = (await begun).globals.get("looked")(data);
  } catch (problem) {
    console.warn("It is not looked through:", problem);
  }
  self.postMessage(found);
};
