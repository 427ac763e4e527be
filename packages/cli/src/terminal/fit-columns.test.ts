import { expect, test } from "vitest";

import { fitColumns } from "./fit-columns.ts";

const help = `Usage: x run FILE [flags]

Prints what it emitted, and its db, and
what it cost. Nothing is kept.
With --watch q ends it.

Flags:
  --props NAME=VALUE  a prop's value, as JSON or as text; may be repeated
  --help              show this

Examples:
  x run component.ts --props token=abc --run-timeout 2s --json`;

test("lines end between words, tables keep their columns, and examples stay as they are copied", () => {
  expect(fitColumns(help, 44)).toBe(`Usage: x run FILE [flags]

Prints what it emitted, and its db, and what
it cost. Nothing is kept.
With --watch q ends it.

Flags:
  --props NAME=VALUE  a prop's value, as
                      JSON or as text; may
                      be repeated
  --help              show this

Examples:
  x run component.ts --props token=abc --run-timeout 2s --json`);
});

test("a first column that takes more than half has its text below", () => {
  expect(fitColumns("  --a-rather-long-flag NAME=VALUE  what it is good for", 40)).toBe(
    "  --a-rather-long-flag NAME=VALUE\n      what it is good for",
  );
});

test("what fits is left alone, and so is what no terminal shows", () => {
  expect([fitColumns(help, 80), fitColumns(help, 0)]).toEqual([help, help]);
});
