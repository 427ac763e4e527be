import type { Template } from "./template.ts";

/** A component that asks an API for what is new. */
export const pollingTemplate: Template = {
  name: "polling",
  about: "asks an API every 15 minutes and emits what is new",
  run: "--props url=https://api.example.com/items",
  props: "--props url=https://api.example.com/items",
  deploys: "text",
  first: "`url` is an API that answers with a JSON list of items, each with an `id` and a `title`.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      interface Item {
        id: number;
        title: string;
      }

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits every item of a list once.",
        // An item with an id that was emitted before is dropped.
        dedupe: "unique",
        props: {
          url: { type: "string", label: "URL", description: "Answers with a JSON list of items" },
          timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
        },
        async run() {
          const response = await fetch(this.url);
          if (!response.ok) throw new Error(\`\${this.url} answered \${response.status}\`);
          const items = «(»await response.json()«) as Item[]»;
          for (const item of items) this.$emit(item, { id: item.id, summary: item.title });
        },
      }«)»;
    `,
    ".test": `
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every item is emitted once", async () => {
        const items = [{ id: 1, title: "first" }];
        const feed = source(component, {
          props: { url: "https://api.example.com/items" },
          // A request that no route answers fails the test.
          routes: { "GET https://api.example.com/items": () => items },
        });
        await feed.deploy();
        await feed.tick("15m");
        items.unshift({ id: 2, title: "second" });
        await feed.tick("15m");
        expect(feed).toHaveEmitted([{ title: "first" }, { title: "second" }]);
        expect(feed).toHaveDeduped([{ id: "1" }]);
      });
    `,
  },
};
