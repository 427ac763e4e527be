import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { type ClientPackage, clientPackages, platformPackage } from "./generated-packages.ts";

/** A folder laid out as a public registry: `components/<app>/…`, sources and actions beside what they share. */
export interface RegistryTree {
  readonly folder: string;
  /** Keys of the components that load, in the order of their folders. */
  readonly keys: readonly string[];
  /** Those whose key does not follow from the name of their file. */
  readonly oddKeys: readonly string[];
  /** Files that are refused. */
  readonly broken: number;
  /** Keys of components that are refused. */
  readonly brokenKeys: readonly string[];
}

const perApp = 6;

/** The ranges of an app's packages, as such folders have them. */
const manifestFile = (app: string, client: ClientPackage | undefined, usesPlatform: boolean): string =>
  JSON.stringify({
    name: `@acme/${app}`,
    version: "0.1.0",
    dependencies: {
      ...(usesPlatform && { [platformPackage]: "^3.0.0" }),
      ...(client && { [client.name]: "^2.0.0" }),
      "acme-text": "^1.0.0",
    },
  });

const appFile = (app: string, client: ClientPackage | undefined, usesPlatform: boolean): string => `
${usesPlatform ? `import { request, each } from "${platformPackage}";` : ""}
${client ? `import { ${client.export} } from "${client.name}";` : ""}
export default {
  type: "app",
  app: "${app}",
  propDefinitions: {
    project: {
      type: "string",
      label: "Project",
      description: "Project whose records are read",
      async options({ page }) {
        const { items } = await this.call("/projects", { page });
        return items.map(({ id: value, name: label }) => ({ label, value }));
      },
    },
    limit: { type: "integer", label: "Limit", description: "Most records per run", optional: true, default: 50 },
  },
  methods: {
    address(path) { return "https://api.${app}.example" + path; },
    headers() { return { authorization: "Bearer " + this.$auth.oauth_access_token, accept: "application/json" }; },
    ${client ? `client() { return new ${client.export}({ token: this.$auth.oauth_access_token }); },` : ""}
    async call(path, params) {
      ${
        usesPlatform
          ? "return request({ url: this.address(path), headers: this.headers(), params });"
          : `const response = await fetch(this.address(path) + "?" + new URLSearchParams(params), { headers: this.headers() });
      return response.json();`
      }
    },
    ${usesPlatform ? "async all(path) { const found = []; for await (const item of each(this, path)) found.push(item); return found; }," : ""}
  },
};
`;

const baseFile = (app: string): string => `
import app from "../${app}.app.mjs";
export default {
  props: {
    app,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    project: { propDefinition: [app, "project"] },
  },
  methods: {
    last() { return this.db.get("last") ?? 0; },
    keep(at) { this.db.set("last", at); },
    meta(record) { return { id: record.id, summary: "New " + record.name, ts: Date.parse(record.created_at) }; },
  },
  async run() {
    const { items = [] } = await this.app.call(this.path(), { since: this.last(), project: this.project });
    for (const item of items) this.$emit(item, this.meta(item));
    if (items.length > 0) this.keep(Math.max(...items.map(({ created_at: at }) => Date.parse(at))));
  },
};
`;

const sourceFile = (key: string, noun: string): string => `
import base from "../../common/base.mjs";
import sample from "./test-event.mjs";
export default {
  ...base,
  key: "${key}",
  name: "New ${noun}",
  description: "Emit an event for each new ${noun}. [See the docs](https://docs.example/${key})",
  version: "0.0.4",
  type: "source",
  dedupe: "unique",
  hooks: { async deploy() { await this.app.call("/${noun}s", { limit: 25 }); } },
  methods: { ...base.methods, path() { return "/${noun}s"; } },
  sampleEmit: sample,
};
`;

const cleanFunction = `const clean = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));\n`;

const actionFile = (key: string, app: string, noun: string, hasClean: boolean, usesText: boolean): string => `
import app from "../../${app}.app.mjs";
${usesText ? 'import { join } from "acme-text";' : ""}
${hasClean ? 'import { clean } from "../../common/clean.mjs";' : cleanFunction}
export default {
  key: "${key}",
  name: "Create ${noun}",
  description: "Creates a ${noun}. [See the docs](https://docs.example/${key})",
  version: "0.1.2",
  type: "action",
  props: {
    app,
    project: { propDefinition: [app, "project"] },
    title: { type: "string", label: "Title", description: "Title of the ${noun}" },
    tags: { type: "string[]", label: "Tags", description: "Words to find it by", optional: true },
  },
  async run({ $ }) {
    const made = await this.app.call(${usesText ? `join("/${noun}s", "")` : `"/${noun}s"`}, clean({ project: this.project, title: this.title, tags: this.tags }));
    $.export("$summary", "Created ${noun} " + made.id);
    return made;
  },
};
`;

const sampleFile = (noun: string): string =>
  `export default { id: "1", name: "A ${noun}", created_at: "2026-01-01T00:00:00Z", kind: "${noun}" };\n`;

const nouns = "order invoice contact deal ticket issue message file task event payment customer".split(" ");

/** Makes the tree of this many components; the same each time. */
export async function makeRegistryTree(root: string, components: number): Promise<RegistryTree> {
  const folder = join(root, "components");
  const keys: string[] = [];
  const oddKeys: string[] = [];
  const brokenKeys: string[] = [];
  const clients = clientPackages();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (let made = 0, number = 0; made < components; number += 1) {
    const app = `app_${String(number).padStart(4, "0")}`;
    const slug = app.replace("_", "-");
    // As in public registries: most import one large package, some a client of their own, some none.
    const usesPlatform = number % 10 < 7;
    const client = number % 4 === 1 ? clients[number % clients.length] : undefined;
    await write(`${app}/${app}.app.mjs`, appFile(app, client, usesPlatform));
    await write(`${app}/common/base.mjs`, baseFile(app));
    const hasClean = number % 4 !== 3;
    if (hasClean) await write(`${app}/common/clean.mjs`, `export ${cleanFunction}`);
    await write(`${app}/package.json`, manifestFile(app, client, usesPlatform));
    for (let place = 0; place < perApp && made < components; place += 1, made += 1) {
      const noun = nouns[place] ?? "record";
      const isSource = place % 3 === 0;
      const name = isSource ? `new-${noun}` : `create-${noun}`;
      const path = `${app}/${isSource ? "sources" : "actions"}/${name}/${name}.mjs`;
      const isOdd = made % 151 === 20;
      const key = isOdd ? `${slug}-legacy-${noun}-${made}` : `${slug}-${name}`;
      const text = isSource ? sourceFile(key, noun) : actionFile(key, app, noun, hasClean, place === 5);
      if (isSource) await write(`${app}/sources/${name}/test-event.mjs`, sampleFile(noun));
      if (made % 97 === 10) {
        const kind = Math.floor(made / 97) % 3;
        const ruined = [
          text.replace("export default {", "export default {{"),
          `import lost from "no-such-package-${made % 2}";\n${text}`,
          `${text}\nthrow new Error("not ready");\n`,
        ][kind];
        await write(path, ruined ?? text);
        brokenKeys.push(key);
        continue;
      }
      await write(path, text);
      keys.push(key);
      if (isOdd) oddKeys.push(key);
    }
  }
  return { folder, keys, oddKeys, broken: brokenKeys.length, brokenKeys };
}
