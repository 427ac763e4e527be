import type { Template } from "./template.ts";

/** A component with a timer. */
export const timerTemplate: Template = {
  name: "timer",
  about: "runs every minute",
  run: "--times 3",
  deploys: "alone",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits the next number every minute.",
        props: {
          timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
          db: "$.service.db",
        },
        run(event) {
          // The db write and the event are committed together.
          const count = (this.db.get("count") ?? 0) + 1;
          this.db.set("count", count);
          this.$emit({ count, at: event.timestamp }, { id: count, summary: \`Run \${count}\` });
        },
      }«)»;
    `,
    ".test": `
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every minute the next number is emitted, also after a restart", async () => {
        const counter = source(component);
        await counter.deploy();
        await counter.tick("2m");
        await counter.restart();
        await counter.tick("1m");
        expect(counter).toHaveEmitted([{ count: 1 }, { count: 2 }, { count: 3 }]);
        expect(counter.db).toEqual({ count: 3 });
      });
    `,
  },
};
