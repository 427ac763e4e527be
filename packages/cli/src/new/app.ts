import type { Template } from "./template.ts";

/** What several components of one API share, and one of them. */
export const appTemplate: Template = {
  name: "app",
  about: "shares an app and its credentials with other components",
  run: "--props list=inbox",
  props: "--props list=inbox",
  deploys: "key",
  first:
    'The app\'s methods call `https://api.example.com`: put your API there. Credentials come from an account: with `x run` and `x dev` from a file, `--accounts .x/accounts.json` with `{"__NAME__": {"token": "…"}}` (git ignores `.x`); with `x serve` from `npx x accounts add`.',
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

      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits every item of a list once.",
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
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every item of the list is emitted once, with the account's credentials", async () => {
        const items = source(component, {
          props: { list: "inbox" },
          accounts: { __FIELD__: { token: "token-1" } },
          routes: { "GET https://api.example.com/lists/inbox/items": [{ id: 1, title: "first" }] },
        });
        await items.deploy();
        await items.tick("30m");
        expect(items).toHaveEmitted([{ id: 1, title: "first" }]);
        expect(items).toHaveDeduped(1);
        expect(items).toHaveRequested("GET /lists/inbox/items", { headers: { authorization: "Bearer token-1" } });
      });
    `,
  },
};
