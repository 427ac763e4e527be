import type { Template } from "./template.ts";

/** An app with the code that components of one API share, and one component. */
export const appTemplate: Template = {
  name: "app",
  about: "shares an app and its credentials with other components",
  run: "--props package=vitest",
  props: "--props package=vitest",
  deploys: "account",
  first:
    'The app\'s methods request the npm registry, which needs no credentials for public packages: replace that with your API. A registry in a private network also needs `--network allow-private`. Credentials come from an account: with `x run` and `x dev` from a file, `--accounts .x/accounts.json` with `{"__NAME__": {"token": "…"}}` (git ignores `.x`); with `x serve` from `__X__ accounts add`.',
  files: {
    ".app": `
      «import { defineApp } from "@x/types";

      export interface Release {
        name: string;
        version: string;
      }

      »/** The code that all components of this API use. */
      export default «defineApp(»{
        type: "app",
        app: "__NAME__",
        propDefinitions: {
          package: { type: "string", label: "Package", description: "Its name on the npm registry" },
        },
        methods: {
          async get(path«: string»)«: Promise<unknown>» {
            // The credentials of the account that the source is configured with.
            const token = this.$auth?.token;
            const headers«: { [name: string]: string }» = token ? { authorization: \`Bearer \${token}\` } : {};
            const response = await fetch(\`__REGISTRY__\${path}\`, { headers });
            if (!response.ok) throw new Error(\`\${path} answered \${response.status}\`);
            return response.json();
          },
        },
      }«)»;
    `,
    "": `
      «import { defineComponent } from "@x/types";

      »import app«, { type Release }» from "./__NAME__.app.__EXT__";

      export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits every version of a package that becomes the latest one.",
        dedupe: "unique",
        props: {
          app,
          package: { propDefinition: [app, "package"] },
          timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
        },
        async run() {
          const { name, version } = «(»await this.app.get(\`/\${this.package}/latest\`)«) as Release»;
          this.$emit({ name, version }, { id: version, summary: \`\${name} \${version}\` });
        },
      }«)»;
    `,
    ".test": `
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every version is emitted once, with the account's credentials", async () => {
        const releases = source(component, {
          props: { package: "vitest" },
          accounts: { __FIELD__: { token: "token-1" } },
          routes: { "GET __REGISTRY__/vitest/latest": { name: "vitest", version: "1.0.0" } },
        });
        await releases.deploy();
        await releases.tick("30m");
        expect(releases).toHaveEmitted([{ name: "vitest", version: "1.0.0" }]);
        expect(releases).toHaveDeduped(1);
        expect(releases).toHaveRequested("GET /vitest/latest", { headers: { authorization: "Bearer token-1" } });
      });
    `,
  },
};
