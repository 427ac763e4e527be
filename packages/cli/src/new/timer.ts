import type { Template } from "./template.ts";

/** A component that runs by itself. */
export const timerTemplate: Template = {
  name: "timer",
  about: "runs every minute",
  run: "--times 3",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »/** Emits the next number every minute. */
      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        props: {
          timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
          db: "$.service.db",
        },
        run(event) {
          // What is stored here is committed together with what is emitted, or neither is.
          const count = (this.db.get("count") ?? 0) + 1;
          this.db.set("count", count);
          this.$emit({ count, at: event.timestamp }, { id: count, summary: \`Run \${count}\` });
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

      test("every run emits the next number", async () => {
        const { source } = await runtime.deploy({ file });
        await runtime.invoke(source.id);
        await runtime.invoke(source.id);
        const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
        // Newest first.
        expect(items.map(({ payload }) => JSON.parse(payload).count)).toEqual([2, 1]);
      });
    `,
  },
};
