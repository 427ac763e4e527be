import type { Template } from "./template.ts";

/** A step for workflows. */
export const actionTemplate: Template = {
  name: "action",
  about: "a step for workflows",
  run: `--props 'text=Hello, hello world'`,
  props: `--props 'text=Hello, hello world'`,
  files: {
    "": `
      «import { defineAction } from "@x/types";

      »export default «defineAction(»{
        type: "action",
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Counts the words of a text.",
        props: {
          text: { type: "string", label: "Text" },
        },
        run() {
          const words = this.text.toLowerCase().match(/\\p{L}+/gu) ?? [];
          const counts«: { [word: string]: number }» = {};
          for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
          console.log(counts);
          // Later steps of a workflow can read this.
          return counts;
        },
      }«)»;
    `,
    ".test": `
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every word is counted, in any case", async () => {
        const counter = source(component, { props: { text: "Hello, hello world" } });
        await counter.deploy();
        await counter.run();
        expect(counter.logs).toMatchObject([{ data: [{ hello: 2, world: 1 }] }]);
      });
    `,
  },
};
