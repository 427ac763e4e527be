import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";

import { expect, test } from "vitest";

const text = readFileSync(new URL("../../../runtime/dist/THIRD-PARTY-LICENSES.txt", import.meta.url), "utf8");
const licences = new Map(
  text.split(`\n${"-".repeat(80)}\n`).map((part) => [/^\n(\S+) \S+ \(.+\)$/m.exec(part)?.[1] ?? "", part] as const),
);

/** Packages that files of the guest import, by name. */
function importedPackages(): ReadonlySet<string> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !/\.(?:test|cases|d)\.ts$/.test(file));
  const specifiers = sources.flatMap((file) =>
    [...readFileSync(join(import.meta.dirname, file), "utf8").matchAll(/(?:\bfrom|^import) "([^".][^"]*)";/gm)].map(
      ([, specifier = ""]) => specifier,
    ),
  );
  const ofPackages = specifiers.filter((specifier) => !isBuiltin(specifier) && !specifier.startsWith("x:"));
  return new Set(ofPackages.map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier));
}

test("the published files name the licence of every package bundled into the guest", () => {
  const imported = importedPackages();
  expect(imported.size).toBeGreaterThan(5);
  for (const name of imported) expect(licences.get(name) ?? "none", name).toMatch(/copyright/i);
});

test("dependencies of bundled packages are named too, and no others", () => {
  expect(licences.has("base64-js")).toBe(true);
  expect(licences.has("safe-buffer")).toBe(true);
  expect(licences.has("esbuild")).toBe(false);
});
