import type { Template } from "./template.ts";

/** A component that polls an API. */
export const pollingTemplate: Template = {
  name: "polling",
  about: "polls an API every 15 minutes and emits what is new",
  run: "--props package=vitest",
  props: "--props package=vitest",
  deploys: "alone",
  first:
    "It polls the npm registry for the latest version of `package`: replace that with your API. A registry in a private network also needs `--network allow-private`.",
  files: {
    "": `
      «import { defineComponent } from "@x/types";

      interface Release {
        name: string;
        version: string;
      }

      »export default «defineComponent(»{
        name: "__TITLE__",
        version: "0.1.0",
        key: "__NAME__",
        description: "Emits every version of a package that becomes the latest one.",
        // Drops events whose id was emitted before.
        dedupe: "unique",
        props: {
          package: { type: "string", label: "Package", description: "Its name on the npm registry" },
          timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
        },
        async run() {
          const url = \`__REGISTRY__/\${this.package}/latest\`;
          const response = await fetch(url);
          if (!response.ok) throw new Error(\`\${url} answered \${response.status}\`);
          const { name, version } = «(»await response.json()«) as Release»;
          this.$emit({ name, version }, { id: version, summary: \`\${name} \${version}\` });
        },
      }«)»;
    `,
    ".test": `
      import { source } from "@x/testing/vitest";
      import { expect, test } from "vitest";

      import component from "./__NAME__.__EXT__";

      test("every version is emitted once", async () => {
        const versions = ["1.0.0", "1.0.0", "1.1.0"];
        const feed = source(component, {
          props: { package: "vitest" },
          // A request without a route fails the test.
          routes: { "GET __REGISTRY__/vitest/latest": ({ times }) => ({ name: "vitest", version: versions[times] }) },
        });
        await feed.deploy();
        await feed.tick("45m");
        expect(feed).toHaveEmitted([{ version: "1.0.0" }, { version: "1.1.0" }]);
        expect(feed).toHaveDeduped([{ id: "1.0.0" }]);
      });
    `,
  },
};
