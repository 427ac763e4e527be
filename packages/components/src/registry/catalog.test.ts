import { expect, test } from "vitest";

import type { RegistryItem } from "./contract.ts";
import { XError } from "../../../model/src/errors.ts";
import { createCatalog } from "./catalog.ts";

const item = (file: string, key: string, version = "1"): RegistryItem => ({
  file,
  key,
  name: key,
  version,
  componentId: `sc_${file}${version}`,
});

function logged(): { lines: string[]; catalog: ReturnType<typeof createCatalog> } {
  const lines: string[] = [];
  const log = (message: string, fields: Record<string, unknown> = {}): void => {
    lines.push([message, fields["key"] ?? fields["file"] ?? fields["components"]].join(": "));
  };
  return { lines, catalog: createCatalog({ info: log, warn: log, error: log }, {}) };
}

test("S10 of two files with one key the first has it, and the other has a problem that names the first", () => {
  const { catalog } = logged();
  catalog.replace([item("a.mjs", "k"), item("b.mjs", "k"), item("c.mjs", "other")]);
  expect(catalog.idOf("k")).toBe("sc_a.mjs1");
  expect(catalog.items).toEqual([
    item("a.mjs", "k"),
    {
      file: "b.mjs",
      problem: { code: "key_conflict", message: 'Key "k" is taken by a.mjs; this file is skipped.' },
    },
    item("c.mjs", "other"),
  ]);
  catalog.replace([item("b.mjs", "k")]);
  expect(catalog.idOf("k")).toBe("sc_b.mjs1");
});

test("an added item is found before the registry is complete", () => {
  const { catalog } = logged();
  catalog.add(item("a.mjs", "k"));
  expect(catalog.idOf("k")).toBe("sc_a.mjs1");
  catalog.replace([]);
  expect(catalog.idOf("k")).toBeUndefined();
});

test("S10 a component without its packages has its reason under its key", () => {
  const { catalog } = logged();
  const error = new XError("package_unresolved", ["lost", "a.mjs", "it is lost"]);
  catalog.replace(
    [item("b.mjs", "served")],
    [
      { key: "k", error },
      { key: "served", error },
    ],
  );
  expect(catalog.failureOf("k")).toBe(error);
  expect(catalog.idOf("served")).toBe("sc_b.mjs1");
  expect(catalog.failureOf("unknown")).toBeUndefined();
  catalog.replace([]);
  expect(catalog.failureOf("k")).toBeUndefined();
});

test("every change and every problem is logged once", () => {
  const { catalog, lines } = logged();
  const broken = { file: "b.mjs", problem: { code: "bundle_failed", message: "no" } };
  catalog.replace([item("a.mjs", "k"), broken]);
  catalog.replace([item("a.mjs", "k"), broken]);
  catalog.add(item("n.mjs", "new"));
  catalog.replace([item("a.mjs", "k", "2"), broken, item("n.mjs", "new")]);
  catalog.replace([{ ...item("a.mjs", "k", "2"), problem: broken.problem }]);
  expect(lines).toEqual([
    "a file of the registry is skipped: b.mjs",
    "the registry is loaded: 1",
    "the registry has a new component: k",
    "the registry has a new component: new",
    "the registry keeps the previous version: a.mjs",
    "the registry no longer has a component: new",
  ]);
});
