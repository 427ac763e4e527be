import type { Template } from "./template.ts";

/** A component that asks an API for what is new. */
export const pollingTemplate: Template = {
  name: "polling",
  about: "asks an API every 15 minutes and emits what is new",
  run: "--props url=https://api.example.com/items",
  first: "`url` is an API that answers with a JSON list of items, each with an `id` and a `title`.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      interface Item {
        id: number;
        title: string;
      }

      »/** Emits every item of a list once. */
      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
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
      import { once } from "node:events";
      import { createServer } from "node:http";
      «import type { AddressInfo } from "node:net";
      »import { fileURLToPath } from "node:url";

      import { createRuntime } from "@x/runtime";
      import { afterAll, expect, test } from "vitest";

      const file = fileURLToPath(new URL("__NAME__.__EXT__", import.meta.url));
      let items = [{ id: 1, title: "first" }];
      const api = createServer((_request, response) => response.end(JSON.stringify(items))).listen(0, "127.0.0.1");
      await once(api, "listening");
      const { port } = api.address()« as AddressInfo»;
      // Every request of a component goes there, whatever its URL.
      const runtime = await createRuntime({ network: { upstream: \`http://127.0.0.1:\${port}\` } });
      afterAll(async () => {
        await runtime.close();
        api.close();
      });

      test("every item is emitted once", async () => {
        const { source } = await runtime.deploy({ file, props: { url: "https://api.example.com/items" } });
        const first = await runtime.invoke(source.id);
        expect(first.emitted).toMatchObject([{ summary: "first" }]);

        items = [{ id: 2, title: "second" }, ...items];
        const second = await runtime.invoke(source.id);
        expect(second.emitted).toMatchObject([{ summary: "second" }]);
        expect(second.deduped).toBe(1);
      });
    `,
  },
};
