import { defineAction } from "@x/types";

/** A step for any workflow: finds which words are in a text. */
export default defineAction({
  type: "action",
  name: "find_words",
  version: "0.1.0",
  props: {
    text: { type: "string", label: "Text" },
    words: { type: "string[]", label: "Words", description: "In any case, as whole words" },
  },
  run() {
    const found = new Set(this.text.toLowerCase().match(/\p{L}+/gu));
    return this.words.filter((word) => found.has(word.toLowerCase()));
  },
});
