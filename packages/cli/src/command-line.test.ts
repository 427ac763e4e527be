import { expect, test } from "vitest";

import { Arguments, type Flag, parseArguments } from "./arguments/arguments.ts";
import { parseEvent, parseProps, readFileOperand, readFileOperands } from "./arguments/values.ts";
import { parseChoice, parseDuration, parseInteger, parsePeriod, parseSize, periodText } from "./arguments/quantity.ts";
import { oneLine } from "./terminal/terminal-text.ts";
import { safeText } from "./terminal/visible.ts";
import { UsageError } from "./errors.ts";

const flags: readonly Flag[] = [
  { name: "port", value: "PORT", about: "" },
  { name: "json", about: "" },
  { name: "to", alias: "url", value: "URL", about: "" },
];

test("flags and operands may be mixed; the last value counts, all are kept", () => {
  const given = parseArguments(flags, ["a", "--port", "1", "b", "--json", "--port=2", "--", "--c"]);
  expect(given).toBeInstanceOf(Arguments);
  expect(given.operands).toEqual(["a", "b", "--c"]);
  expect([given.text("port"), given.all("port"), given.has("json"), given.has("soon")]).toEqual([
    "2",
    ["1", "2"],
    true,
    false,
  ]);
});

test("a flag has another name for the same value; the last one counts", () => {
  const given = parseArguments(flags, ["--to", "a", "--url=b"]);
  expect([given.text("to"), given.all("to"), given.has("url")]).toEqual(["b", ["a", "b"], false]);
  expect(() => parseArguments(flags, ["--url"])).toThrow("--to needs a value: --to URL");
});

test("a negative number is an operand, no flag", () => {
  const given = parseArguments(flags, ["set", "-5", "-1.5e3", "--port", "-1", "-.5"]);
  expect([given.operands, given.text("port")]).toEqual([["set", "-5", "-1.5e3", "-.5"], "-1"]);
  expect(() => parseArguments(flags, ["-5x"])).toThrow("Unknown flag -5");
});

test("what is no flag of the command is refused with the nearest one", () => {
  expect(() => parseArguments(flags, ["--prot", "1"])).toThrow("Unknown flag --prot; did you mean --port?");
  expect(() => parseArguments(flags, ["-j"])).toThrow("Unknown flag -j");
  expect(() => parseArguments(flags, ["--port"])).toThrow("--port needs a value: --port PORT");
  expect(() => parseArguments(flags, ["--port", "--json"])).toThrow("--port needs a value");
  expect(() => parseArguments(flags, ["--json=yes"])).toThrow("--json takes no value");
});

test("durations, sizes, numbers and choices are read with their units", () => {
  expect(["250ms", "2s", "1.5s", "5m", "1h"].map((text) => parseDuration("f", text))).toEqual([
    250, 2_000, 1_500, 300_000, 3_600_000,
  ]);
  expect(["10b", "512kb", "64MB", "1gb"].map((text) => parseSize("f", text))).toEqual([
    10,
    512 * 1024,
    64 * 1024 ** 2,
    1024 ** 3,
  ]);
  for (const text of ["", "2", "s", "-1s", "2 s", "2d", "0s", "1e3s"]) {
    expect(() => parseDuration("f", text)).toThrow(UsageError);
  }
  expect(parseInteger("f", "7", 0, 9)).toBe(7);
  for (const text of ["10", "-1", "1.5", "x", ""]) expect(() => parseInteger("f", text, 0, 9)).toThrow(UsageError);
  expect(parseChoice("f", "a", ["a", "b"])).toBe("a");
  expect(() => parseChoice("f", "c", ["a", "b"])).toThrow('--f must be a or b, got "c"');
});

test("a period is two days in order", () => {
  const period = parsePeriod("f", "2026-11-01..2026-12-01");
  expect(period).toEqual({ start: Date.UTC(2026, 10, 1), end: Date.UTC(2026, 11, 1) });
  expect(periodText(period.start / 1000, period.end / 1000)).toBe("2026-11-01..2026-12-01");
  const wrong = ["", "..", "2026-11-01", "2026-11-01..", "2026-11-02..2026-11-01", "2026-11-01..2026-11-01"];
  for (const text of [...wrong, "2026-02-28..2026-02-30", "2026-11-01..2026-13-01", "1..2", "2026-11-01..2026-12-01.."])
    expect(() => parsePeriod("f", text), text).toThrow(UsageError);
});

test("S60 props are texts for the types of the props; NAME:=JSON and null are JSON, and a later one counts", () => {
  expect(parseProps(["a=1", "b=[1]", "c=text", "d=", "e=x=y", 'f="1"', "g:=[1]", "h=null", "i:=null"])).toEqual({
    propTexts: { a: ["1"], b: ["[1]"], c: ["text"], d: [""], e: ["x=y"], f: ['"1"'] },
    props: { g: [1], h: null, i: null },
  });
  expect(parseProps(["a=1", "a=2", "b:=1", "b=2", "c=1", 'c:="x"'])).toEqual({
    propTexts: { a: ["1", "2"], b: ["2"] },
    props: { c: "x" },
  });
  expect(() => parseProps(["a"])).toThrow('--props needs name=value, got "a"');
  expect(() => parseProps(["a:=x"])).toThrow("--props a:= needs JSON; for a text write a=TEXT");
});

test("one file is an operand; pairs may follow it", () => {
  expect(readFileOperand(["./a/b.js", "x=1"])).toEqual({ file: "./a/b.js", pairs: ["x=1"] });
  expect(() => readFileOperand([])).toThrow("Which FILE?");
  expect(() => readFileOperand(["a.js", "b.js"])).toThrow('"b.js" is one too many');
  expect(readFileOperands(["a.js", "x=1", "b.js", "y=./c.js"])).toEqual({
    files: ["a.js", "b.js"],
    pairs: ["x=1", "y=./c.js"],
  });
});

test("events are JSON or in a file", () => {
  expect(parseEvent("event", "[1]")).toEqual([1]);
  expect(() => parseEvent("event", "{")).toThrow(UsageError);
  expect(() => parseEvent("event", "@no/such/file.json")).toThrow("cannot be read");
});

test("text of others cannot steer the terminal", () => {
  expect(safeText("a\u001b]0;x\u0007\nb\tc\u009b")).toBe("a\\x1b]0;x\\x07\nb\tc\\x9b");
  expect(oneLine("a\n  b\u001b[2J", 9)).toBe("a b\\x1b[…");
});
