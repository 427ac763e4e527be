import { readFileSync } from "node:fs";

import { errorCatalogue } from "@x/runtime/errors";
import { expect, test } from "vitest";

import { findExplanation } from "./explain.ts";
import { lintRules } from "./lint-rules.ts";
import { namedErrors } from "./named-errors.ts";

test("every code of the runtime says what happened, why, and what to do, in sentences", () => {
  for (const [code, { meaning, cause, fix }] of Object.entries({ ...errorCatalogue, ...namedErrors })) {
    for (const text of [meaning, cause, fix]) expect(text, code).toMatch(/^\S.{15,}[.)]$/);
  }
});

test("a code is found in the form that messages have, with its exit code", () => {
  expect(findExplanation("sandbox_timeout")).toMatchObject({ code: "sandbox_timeout", exit_code: 3 });
  expect(findExplanation("error[invalid_props]:")).toMatchObject({ code: "invalid_props", exit_code: 2 });
  expect(findExplanation("dedupeIDrequiredError")).toMatchObject({ code: "DedupeIdRequiredError" });
});

test("what is no code is met with the nearest", () => {
  expect(() => findExplanation("invalid_prop")).toThrow(
    'There is no code "invalid_prop"; did you mean invalid_props? x explain lists all',
  );
  expect(() => findExplanation("toString")).toThrow('There is no code "toString"');
});

test("every rule of x lint, and of what a deploy warns about, is explained", () => {
  const files = [
    "../lint/rules.ts",
    "../lint/code-rules.ts",
    "../lint/emit-rules.ts",
    "../../../model/src/schedule-warnings.ts",
    "../../../components/src/shape-warnings.ts",
    "../../../components/src/props/prop-warnings.ts",
    "../../../components/src/event-schema/component-emits.ts",
    "../../../components/src/props/kept-values.ts",
    "../../../components/src/undeclared-warnings.ts",
    "../../../components/src/bundle/import-meta.ts",
    "../../../components/src/bundle/project-files.ts",
    "../../../testing/src/accounts.ts",
  ];
  const used = files.flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return [...text.matchAll(/(?:rule: |warn\(\s*)"([a-z-]+)"/g)].map(([, rule = ""]) => rule);
  });
  const rules = new Set([...used, "missing-key", "missing-description"]);
  expect(rules.size).toBeGreaterThan(15);
  expect([...rules].toSorted()).toEqual(Object.keys(lintRules).toSorted());
  for (const rule of rules) expect(findExplanation(rule).fix).not.toBe("");
});
