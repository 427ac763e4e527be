import { expect, test } from "vitest";

import { atOnce } from "../../../model/src/process/slices.ts";
import { type BundlePart, joinBundles } from "./join-bundles.ts";
import { createStackMapper } from "./stack.ts";

const joined = (parts: readonly BundlePart[]) => atOnce(joinBundles(parts));

/** A part whose second line comes from line 7 of its source. */
const part = (name: string, source: string): { name: string; bundle: string; sourceMap: string } => ({
  name,
  bundle: `"use strict";\nmodule.exports = { run: () => "${name}" };\n`,
  sourceMap: JSON.stringify({ version: 3, sources: [source], names: ["run"], mappings: ";AAMAA" }),
});

test("the module has the parts as actions of its steps, in order", () => {
  const { bundle } = joined([part("one", "a.js"), part("two words", "b.js")]);
  const module: { exports: { steps?: { name: string; action: { run(): string } }[] } } = { exports: {} };
  // oxlint-disable-next-line typescript/no-implied-eval -- the sandbox evaluates it like this
  (new Function("module", "exports", bundle) as (...args: object[]) => void)(module, module.exports);
  expect(module.exports.steps?.map(({ name, action }) => [name, action.run()])).toEqual([
    ["one", "one"],
    ["two words", "two words"],
  ]);
});

test("places in each part are found in its own source, under the step's name", () => {
  const whole = joined([part("one", "a.js"), part("two", "lib/b.js")]);
  const map = createStackMapper();
  const lines = whole.bundle.split("\n");
  const places = lines.flatMap((text, index) => (text.startsWith("module.exports = { run") ? [index + 1] : []));
  expect(places).toHaveLength(2);
  const stack = places.map((line) => `    at run (bundle.js:${line}:1)`).join("\n");
  expect(map(`Error: x\n${stack}`, whole.sourceMap)).toBe(
    "Error: x\n    at run (one/a.js:7:1)\n    at run (two/lib/b.js:7:1)",
  );
});
