import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { array, type Arbitrary, constantFrom, dictionary, integer, oneof, record, string, tuple } from "fast-check";
import { errorCatalogue, XError } from "@x/runtime";

import { startTestRegistry, type TestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { packTarball } from "../../packages/components/src/packages/tarball.cases.ts";
import { openTrial, type Trial } from "../../packages/runtime/src/runtime.cases.ts";
import { type Damage, damaged, someDamage } from "./damage.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { jsonValue, oddText } from "./odd-values.ts";
import { codes } from "./rest-samples.ts";

interface PackageInput {
  readonly files: Readonly<Record<string, string>>;
  /** Members of its package.json, and of its manifest in the registry. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Text of its package.json instead. */
  readonly manifestText?: string;
  readonly damage: readonly Damage[];
  readonly path: string;
}

type Input =
  | { readonly files: Readonly<Record<string, string>>; readonly entry: string }
  | { readonly package: PackageInput };

const token = constantFrom(
  ..."export default import from require ( ) { } [ ] => ; , . : ` ${ ' \" / /* */ // # @ async await yield class function return new import.meta".split(
    " ",
  ),
  "import.meta.url",
  "await import('./other.js')",
  "require(name)",
  "export * from './main.js'",
  "import './other.json'",
  "import fs from 'node:fs'",
  "import x from './'",
  "import x from '../../../../etc/passwd'",
  "import x from '/etc/hosts'",
  "import x from 'data:text/javascript,1'",
  "import x from 'http://127.0.0.1:1/x.js'",
  "import x from 'x:host'",
  "<div>{1}</div>",
  "let x: number = 1;",
  "enum A { B }",
  "@dec class A {}",
  "using x = null;",
  "\\u{61}",
  "0n",
  "1_000",
  "/[/",
  "/(?<a>x)\\k<a>/v",
  "'\\ud800'",
  "\0",
  "\ufeff",
  "\u2028",
  "//# sourceMappingURL=data:application/json;base64,e30=",
  "#!/usr/bin/env node\n",
  "(".repeat(3_000),
  "[".repeat(20_000),
  "a=>".repeat(2_000),
  "x".repeat(10_000),
);
const source: Arbitrary<string> = oneof(
  constantFrom(...codes),
  array(token, { maxLength: 12 }).map((tokens) => tokens.join(" ")),
  tuple(constantFrom(...codes), integer({ min: 0, max: 600 }), integer({ min: 0, max: 20 }), token).map(
    ([code, at, length, by]) => code.slice(0, at) + by + code.slice(at + length),
  ),
  string({ unit: "binary", maxLength: 80 }),
);
const path = oneof(
  constantFrom(
    "main.js",
    "main.ts",
    "other.js",
    "other.json",
    "a/main.mjs",
    "a/b.cjs",
    "main.tsx",
    "x.wasm",
    "package.json",
    "a/package.json",
    "node_modules/x/index.js",
  ),
  oddText,
);
const json = jsonValue.map((value) => JSON.stringify(value));
const member = oneof(
  jsonValue,
  constantFrom<unknown>(
    "./index.js",
    "../../../x.js",
    { ".": "./index.js" },
    { ".": { import: "./index.js", require: null } },
    { "./*": "./*" },
    { "#a": "./index.js" },
    { left: "^1.0.0" },
    { left: "git+ssh://x/y" },
    { left: "file:../x" },
    { left: "*", LEFT: "1" },
    "module",
  ),
);
const manifest = dictionary(
  constantFrom(
    "main",
    "module",
    "browser",
    "exports",
    "imports",
    "type",
    "dependencies",
    "peerDependencies",
    "optionalDependencies",
    "bundleDependencies",
    "engines",
    "os",
    "bin",
    "scripts",
    "files",
    "sideEffects",
    "workspaces",
    "overrides",
    "deprecated",
    "dist",
    "version",
    "name",
    "_id",
    "__proto__",
  ),
  member,
  { maxKeys: 4, noNullPrototype: true },
);
const damage = someDamage(
  oneof(
    constantFrom("", "AA==", "/////w==", "MDAwMA=="),
    string({ maxLength: 12 }).map((text) => Buffer.from(text).toString("base64")),
  ),
  { maxAt: 3_000, maxLength: 600 },
  3,
);

const input: Arbitrary<Input> = oneof(
  {
    weight: 3,
    arbitrary: tuple(
      constantFrom("main.js", "main.ts", "a/main.mjs", "main.tsx", "b.cjs"),
      source,
      dictionary(path, oneof({ weight: 4, arbitrary: source }, { weight: 1, arbitrary: json }), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
      oneof({ weight: 12, arbitrary: constantFrom(undefined) }, { weight: 1, arbitrary: path }),
    ).map(([main, text, more, entry]) => ({ files: { ...more, [main]: text }, entry: entry ?? main })),
  },
  {
    weight: 1,
    arbitrary: record(
      {
        package: record(
          {
            files: dictionary(oneof(constantFrom("index.js", "lib/a.js", "index.cjs", "a.json"), path), source, {
              minKeys: 1,
              maxKeys: 3,
              noNullPrototype: true,
            }),
            manifest,
            manifestText: oneof(json, constantFrom("{", "", "null", "\ufeff{}", '{"main":"./index.js",}')),
            damage: oneof(
              { weight: 1, arbitrary: constantFrom<readonly Damage[]>([]) },
              { weight: 1, arbitrary: damage },
            ),
            path: constantFrom("", "/lib/a.js", "/package.json", "/../x", "/%2e%2e/x", "/"),
          },
          { requiredKeys: ["files", "manifest", "damage", "path"], noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    ),
  },
);

/** Publishes the package under a name of its own; returns the code that imports it. */
function publish(registry: TestRegistry, given: PackageInput): string {
  const { files, manifest: members, manifestText, damage: damages, path: subpath } = given;
  const name = `p${createHash("sha256").update(JSON.stringify(given)).digest("hex").slice(0, 20)}`;
  const whole = { ...members, name, version: "1.0.0" };
  const usable = Object.entries(files).filter(([file]) => /^[\w./-]{1,60}$/.test(file));
  const packed = packTarball({
    "index.js": "exports.a = 1;",
    ...Object.fromEntries(usable),
    "package.json": manifestText ?? JSON.stringify(whole),
  });
  const tarball = damaged(packed, damages, "base64");
  // Of the archive as it is, so that it is read although it is damaged.
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { integrity, tarball: `${registry.url}${name}/-/${name}-1.0.0.tgz` };
  const document = { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { ...whole, dist } } };
  registry.intercept((request, response) => {
    const asked = decodeURIComponent(request.url ?? "").slice(1);
    if (asked === name) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    else if (asked.startsWith(`${name}/-/`)) response.writeHead(200).end(tarball);
    else return false;
    return true;
  });
  return `import * as it from "${name}${subpath}"; export default { name: "Importing", version: "1", run() { this.$emit(Object.keys(it)) } };`;
}

/** Saves a component; what is wrong with it must be the author's error, with a code that says so. */
async function save({ runtime }: Trial, given: Parameters<Trial["runtime"]["saveComponent"]>[0]): Promise<void> {
  try {
    await runtime.saveComponent(given);
  } catch (error) {
    if (!XError.is(error)) throw error;
    const { status } = errorCatalogue[error.code];
    if (status >= 500) throw new Error(`${error.code}: ${error.message}`, { cause: error });
  }
}

async function check(trial: Trial, registry: TestRegistry, given: Input): Promise<void> {
  if ("package" in given) await save(trial, { code: publish(registry, given.package) });
  else await save(trial, given);
  const text = createHash("sha256").update(JSON.stringify(given)).digest("hex");
  const { shape } = await trial.runtime.saveComponent({
    code: `export default { name: "${text}", version: "1", run() {} };`,
  });
  if (shape.name !== text) throw new Error(`the next component is called ${shape.name}`);
}

export const bundleFuzzer: Fuzzer = {
  name: "bundle",
  about: "whatever the files of a component and its packages are, it is saved, or refused as its author's error",
  runs: 80,
  async open() {
    const cache = await mkdtemp(join(tmpdir(), "x-fuzz-"));
    const registry = await startTestRegistry();
    const trial = await openTrial({ packages: { registry: registry.url, cache }, network: { mode: "none" } });
    return defineTarget<Input>({
      arbitrary: input,
      property: (given) => check(trial, registry, given),
      async close() {
        await trial.runtime.close();
        await registry.close();
        await rm(cache, { recursive: true, force: true });
      },
    });
  },
};
