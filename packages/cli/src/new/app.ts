import type { Template } from "./template.ts";

/** What several components of one API share, and one of them. */
export const appTemplate: Template = {
  name: "app",
  about: "an app with its credentials, and a component that uses it",
  run: `--props list=inbox`,
  first: "The app's methods call `https://api.example.com`: put your API there.",
  files: {
    ".app": `
      «import { defineApp } from "@x/types";

      export interface Item {
        id: number;
        title: string;
      }

      »/** What the components of this API share. */
      export default «defineApp(»{
        type: "app",
        app: "__NAME__",
        propDefinitions: {
          list: { type: "string", label: "List", description: "Whose items are emitted" },
        },
        methods: {
          async get(path«: string»)«: Promise<unknown>» {
            // The credentials of the account that the source is configured with.
            const headers = { authorization: \`Bearer \${this.$auth?.token}\` };
            const response = await fetch(\`https://api.example.com\${path}\`, { headers });
            if (!response.ok) throw new Error(\`\${path} answered \${response.status}\`);
            return response.json();
          },
        },
      }«)»;
    `,
    "": `
      «import { defineComponent } from "@x/types";

      »import app«, { type Item }» from "./__NAME__.app.__EXT__";

      /** Emits every item of a list once. */
      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        dedupe: "unique",
        props: {
          app,
          list: { propDefinition: [app, "list"] },
          timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
        },
        async run() {
          const items = «(»await this.app.get(\`/lists/\${this.list}/items\`)«) as Item[]»;
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
      const asked«: unknown[]» = [];
      const api = createServer((request, response) => {
        asked.push([request.url, request.headers.authorization]);
        response.end('[{"id":1,"title":"first"}]');
      }).listen(0, "127.0.0.1");
      await once(api, "listening");
      const { port } = api.address()« as AddressInfo»;
      // Every request of a component goes there, whatever its URL.
      const runtime = await createRuntime({ network: { upstream: \`http://127.0.0.1:\${port}\` } });
      afterAll(async () => {
        await runtime.close();
        api.close();
      });

      test("every item of the list is emitted once, with the account's credentials", async () => {
        const account = await runtime.createAccount({ app: "__NAME__", auth: { token: "token-1" } });
        const props = { app: { authProvisionId: account.id }, list: "inbox" };
        const { source } = await runtime.deploy({ file, props });
        const first = await runtime.invoke(source.id);
        expect(first.emitted).toMatchObject([{ summary: "first" }]);
        expect((await runtime.invoke(source.id)).emitted).toEqual([]);
        expect(asked[0]).toEqual(["/lists/inbox/items", "Bearer token-1"]);
      });
    `,
  },
};
