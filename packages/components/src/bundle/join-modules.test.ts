import { compileFunction } from "node:vm";

import { TraceMap, originalPositionFor } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";

import { type SeparateModule, joinModules, separateModules } from "./join-modules.ts";

const emptyMap = JSON.stringify({ version: 3, sources: ["component.js"], names: [], mappings: "AAAA" });

const moduleOf = (code: string): SeparateModule => ({ name: "package/module.js", code, mappings: "", lines: 1 });

/** Runs a joined bundle as the sandbox does: in a function that knows `exports`. */
function run(bundle: string, globals: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const exports = {};
  const names = Object.keys(globals);
  const body = compileFunction(bundle, ["exports", ...names]) as (...values: unknown[]) => void;
  body(exports, ...names.map((name) => globals[name]));
  return exports;
}

test.each(["Set", "Map", "URL", "NaN", "Date", "fetch", "x"])(
  "a variable of the bundle that is named %s is not seen by modules that were minified alone",
  (name) => {
    const stub = `${separateModules}["package/module.js"](exports);`;
    const declarations = [`var ${name} = "own"`, `function ${name}() {}`, `class ${name} {}`, `let ${name} = "own"`];
    for (const declaration of declarations) {
      const { bundle } = joinModules(`${declaration}; ${stub}`, emptyMap, [moduleOf(`exports.seen = ${name};`)]);
      expect(run(bundle, { [name]: "global" })).toEqual({ seen: "global" });
    }
  },
);

test("the rest of the bundle keeps its mode, and its lines lead to their origin", () => {
  const given = `"use strict"; exports.isStrict = (function () { return this === undefined; })();`;
  const { bundle, sourceMap } = joinModules(given, emptyMap, [moduleOf("exports.value = 1;")]);
  expect(run(bundle)).toEqual({ isStrict: true });
  const line = bundle.split("\n").findIndex((text) => text.startsWith('"use strict"')) + 1;
  expect(originalPositionFor(new TraceMap(sourceMap), { line, column: 0 })).toMatchObject({
    source: "component.js",
    line: 1,
  });
});
