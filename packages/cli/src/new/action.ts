import type { Template } from "./template.ts";

/** A step for workflows. */
export const actionTemplate: Template = {
  name: "action",
  about: "a step for workflows",
  run: `--props 'text=Hello, hello world'`,
  files: {
    "": `
      «import { defineAction } from "@x/types";

      »/** Counts the words of a text; later steps of a workflow read what it returns. */
      export default «defineAction(»{
        type: "action",
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        props: {
          text: { type: "string", label: "Text" },
        },
        run() {
          const words = this.text.toLowerCase().match(/\\p{L}+/gu) ?? [];
          const counts«: { [word: string]: number }» = {};
          for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
          console.log(counts);
          return counts;
        },
      }«)»;
    `,
    ".test": `
      import { fileURLToPath } from "node:url";

      import { createRuntime } from "@x/runtime";
      import { afterAll, expect, test } from "vitest";

      const file = fileURLToPath(new URL("__NAME__.__EXT__", import.meta.url));
      const runtime = await createRuntime();
      afterAll(() => runtime.close());

      /** Emits what the step before has returned. */
      const tell = 'export default { type: "action", run({ steps, $ }) { $.send.emit(steps.count.$return_value); } };';

      test("the next step gets the number of every word", async () => {
        const workflow = await runtime.workflow({
          name: "Test",
          steps: [
            { name: "count", component: { file }, props: { text: "Hello, hello world" } },
            { name: "tell", component: { code: tell } },
          ],
        });
        await runtime.invoke(workflow.id);
        const { items } = await runtime.storedEvents(workflow.id, "emits", { limit: 10 });
        expect(items.map(({ payload }) => JSON.parse(payload))).toEqual([{ hello: 2, world: 1 }]);
      });
    `,
  },
};
