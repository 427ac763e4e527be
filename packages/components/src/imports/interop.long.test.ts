import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

import { afterAll, expect, test } from "vitest";

import { testBundler as bundler, writeFiles } from "../bundle.cases.ts";
import type { PackageUse } from "../contract.ts";
import { besides, forms, packages } from "./interop.cases.ts";

const place = mkdtempSync(join(tmpdir(), "interop-"));
afterAll(() => rmSync(place, { recursive: true }));
for (const [name, files] of Object.entries(packages)) writeFiles(place, `node_modules/${name}`, { ...files });
writeFiles(place, "beside", { ...besides });
writeFiles(place, "strict", { "package.json": `{"type":"module"}` });

const use: PackageUse = { install: () => Promise.reject(new Error("nothing is installed")) };
/** The same packages as an installed tree, for code that comes without files. */
const installed: PackageUse = {
  install: (needed) => {
    const requests = Object.fromEntries(needed.map(({ name }) => [name, `node_modules/${name}`]));
    const locked = Object.keys(packages).map((name) => [
      `node_modules/${name}`,
      { version: "1.0.0", integrity: "sha512-x" },
    ]);
    return Promise.resolve({
      folder: place,
      key: place,
      lock: { requests, packages: Object.fromEntries(locked) as never },
    });
  },
};

interface Case {
  readonly title: string;
  /** Cases of a group are bundled together; those of posted code each for itself. */
  readonly group: string;
  readonly file: string;
  readonly text: string;
}

const moduleEndings = [".js", ".mjs", ".ts", ".mts", "strict .js", "posted"];
const commonEndings = [".js", ".cjs", ".cts"];
const typed = (ending: string, text: string): string =>
  ending.includes("ts") ? `${text}const typed: number = 1;\n` : text;
const isPosted = ({ group }: Case): boolean => group.endsWith("posted");

function* casesOf(): Generator<Case> {
  let count = 0;
  for (const [form, { isCommon = false, text }] of Object.entries(forms))
    for (const ending of isCommon ? commonEndings : moduleEndings) {
      const group = `${form} in ${ending}`;
      const isText = ending === "posted";
      // Nothing imports itself in posted code.
      if (isText && form === "passed on") continue;
      const files = isText ? [] : Object.keys(besides).map((file) => `../beside/${file}`);
      for (const specifier of [...Object.keys(packages), ...files]) {
        const extension = /\.\w+$/.exec(ending)?.[0] ?? ".mjs";
        const name = `f${(count += 1)}${extension}`;
        const file = `${ending.startsWith("strict") ? "strict" : "importers"}/${name}`;
        const written = typed(ending, text(specifier)).replace("#self", `./${name}`);
        yield { title: `${form} of ${specifier} in ${ending}`, group, file, text: written };
      }
    }
}

const cases = [...casesOf()];
for (const { file, text } of cases) writeFiles(place, "", { [file]: text });

const oracle = `
import { readFileSync } from "node:fs";
const seen = [];
for (const url of JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8"))) {
  try {
    const { default: call } = await import(url);
    seen.push(JSON.stringify(await call()));
  } catch {
    seen.push(null);
  }
}
process.stdout.write(JSON.stringify(seen));
`;

/** What Node's own imports give, as JSON; null where Node cannot load it. */
function inNode(): readonly (string | null)[] {
  const urls = cases.map(({ file }) => pathToFileURL(join(place, file)).href);
  writeFiles(place, "", { "cases.json": JSON.stringify(urls), "oracle.mjs": oracle });
  const given = ["--no-warnings", join(place, "oracle.mjs")];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8", env: {} })) as (string | null)[];
}

/** What a bundle exports. */
function exported(bundle: string): unknown {
  const module: { exports: { readonly default?: unknown } } = { exports: {} };
  runInThisContext(`(function (module, exports) {${bundle}\n})`)(module, module.exports);
  return module.exports.default ?? module.exports;
}

async function inOneBundle(group: string, chosen: readonly Case[]): Promise<readonly unknown[]> {
  const lines = chosen.map(({ file }, index) => `import c${index} from "./${file}";`);
  const entry = `${group.replace(/\W+/g, "-")}.mjs`;
  const text = `${lines.join("\n")}\nexport default [${chosen.map((_, index) => `c${index}`).join(", ")}];\n`;
  writeFiles(place, "", { [entry]: text });
  const { bundle } = await bundler.bundle({ file: join(place, entry) }, use);
  return exported(bundle) as unknown[];
}

async function posted({ text }: Case): Promise<unknown> {
  return exported((await bundler.bundle({ code: text }, installed)).bundle);
}

const show = async (call: unknown): Promise<string> => JSON.stringify(await (call as () => unknown)());

const expected = inNode();
const inGroups = Object.entries(
  Object.groupBy(
    cases.map((each, index) => ({ each, seen: expected[index] ?? null })).filter(({ seen }) => seen !== null),
    ({ each }) => each.group,
  ),
);

test("Node can load nearly all of the table", () => {
  expect(expected.filter((seen) => seen !== null).length).toBeGreaterThan(cases.length * 0.9);
});

test.each(inGroups)("every import gives what it gives in Node: %s", async (group, members = []) => {
  const chosen = members.map(({ each }) => each);
  const calls = chosen.some(isPosted) ? await Promise.all(chosen.map(posted)) : await inOneBundle(group, chosen);
  const seen = await Promise.all(calls.map(show));
  const titled = (values: readonly (string | null)[]): object =>
    Object.fromEntries(chosen.map(({ title }, index) => [title, values[index]]));
  expect(titled(seen)).toEqual(titled(members.map((member) => member.seen)));
});
