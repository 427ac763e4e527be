import { expect, test } from "vitest";

import { Arguments, parseArguments } from "../arguments/arguments.ts";
import { UsageError } from "../errors.ts";
import { parseSecretObject } from "./secret-input.ts";
import { columns } from "./output.ts";
import { parseValue } from "./stored-value.ts";
import { findNamed } from "./emitters.ts";
import { createRestClient } from "./rest-client.ts";
import { eventText } from "./shown-event.ts";
import { sourceRow } from "./shown-source.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const subcommands = { ls: [], set: ["ID", "VALUE"], deploy: ["[FILE]", "[NAME=VALUE…]"] } as const;
const given = (...operands: readonly string[]): Arguments => new Arguments(operands, new Map());

test("a subcommand has its operands, no more and no fewer; what is misspelled is met with the nearest", () => {
  const read = (...operands: readonly string[]): object => readSubcommand("db", subcommands, given(...operands));
  expect(read("ls")).toEqual({ subcommand: "ls", operands: [] });
  expect(read("set", "a", "")).toEqual({ subcommand: "set", operands: ["a", ""] });
  expect(read("deploy", "f", "a=1", "b=2", "c=3")).toMatchObject({ operands: ["f", "a=1", "b=2", "c=3"] });
  expect(() => read()).toThrow("Which one: x db ls|set|deploy?");
  expect(() => read("sett", "a")).toThrow("There is no x db sett; did you mean x db set?");
  expect(() => read("set", "a")).toThrow("Which VALUE: x db set ID VALUE?");
  expect(() => read("ls", "a")).toThrow('"a" is one argument too many: x db ls');
});

test("a flag of another subcommand is refused with the subcommand that has it", () => {
  const flagged = parseArguments([{ name: "force", about: "" }], ["ls", "--force"]);
  expect(() => rejectFlags(flagged, "x db rm", ["force"])).toThrow("--force is a flag of x db rm");
  rejectFlags(flagged, "x db rm", ["other"]);
});

test("a name must match one resource; several and none are errors", () => {
  const things = [
    { id: "dc_1", names: ["inbox"] },
    { id: "dc_2", names: ["outbox", "Twice"] },
    { id: "dc_3", names: ["Twice"] },
  ];
  const find = (name: string): string => findNamed("source", name, things).id;
  expect(find("outbox")).toBe("dc_2");
  expect(() => find("Twice")).toThrow('Several have the name "Twice"; use an id: dc_2, dc_3.');
  expect(() => find("inbx")).toThrow('No source has the id or name "inbx"; did you mean "inbox"?');
  expect(() => findNamed("source", "a", [])).toThrow("there are none");
  expect(() => findNamed("account", "work", [{ id: "apn_1", names: [] }])).toThrow("there is apn_1");
});

test("segments of a path stay segments; what a URL would take for a step up is refused", async () => {
  const asked: string[] = [];
  const client = createRestClient("http://h", undefined, ({ url }) => {
    asked.push(url);
    return Promise.resolve(Response.json({ data: {} }));
  });
  const read = (key: string) => client.ask("GET /sources/{id}/db/{key}", { path: { id: "dc_1", key } });
  await read("a/b?c");
  expect(asked).toEqual(["http://h/v1/sources/dc_1/db/a%2Fb%3Fc"]);
  for (const segment of ["", ".", ".."]) await expect(read(segment)).rejects.toThrow(UsageError);
});

test("values are JSON when they parse as JSON, else text", () => {
  expect(['{"a":1}', "1", "null", "text", '"1"', ""].map(parseValue)).toEqual([{ a: 1 }, 1, null, "text", "1", ""]);
});

test("credentials are a JSON object, and no error shows them", () => {
  expect(parseSecretObject("The file a", '{"key":"s3cret"}', "{}")).toEqual({ key: "s3cret" });
  for (const text of ["s3cret", '"s3cret"', '["s3cret"]', "null", ""]) {
    const read = (): object => parseSecretObject("The file a", text, "{}");
    expect(read).toThrow("The file a must hold a JSON object");
    expect(read).not.toThrow("s3cret");
  }
});

test("columns are as wide as their widest cell", () => {
  expect(
    columns([
      ["a", "b"],
      ["long", ""],
      ["", "c", "d"],
    ]),
  ).toEqual(["a     b", "long", "      c  d"]);
});

test("a source is listed with what starts it", () => {
  const source = {
    id: "dc_1",
    name: "A",
    name_slug: "a",
    component_id: "sc_1",
    active: false,
    created_at: 0,
    updated_at: 0,
    configured_props: {
      http: { endpoint_url: "http://h/in/1" },
      slow: { cron: null, interval_seconds: 60 },
      exact: { cron: "0 9 * * *", interval_seconds: 0, timezone: "Europe/Berlin" },
      other: { a: 1 },
    },
  };
  expect(sourceRow(source)).toEqual([
    "a",
    "dc_1",
    "paused",
    "http://h/in/1, every 60 s, cron 0 9 * * * (Europe/Berlin)",
  ]);
});

test("events, errors and logs are one line each, with the stack of an error, and cannot steer the terminal", () => {
  const shown = {
    id: "1-0",
    indexed_at_ms: 0,
    metadata: { emit_id: "e", emitter_id: "dc_1", name: "", summary: "New\u001b[2J" },
  };
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/;
  const text = (event: object, stream?: string): string =>
    eventText({ ...shown, event: JSON.parse(JSON.stringify(event)) as never }, stream).replace(time, "");
  expect(text({ a: 1 })).toBe('New\\x1b[2J  {"a":1}');
  const stack = "TypeError: no\n    at run (a.ts:1:2)";
  expect(text({ error: { code: "TypeError", cellId: "c_run", msg: "no\nway\u0007", stack } }, "$errors")).toBe(
    "! run  TypeError: no way\\x07\n    at run (a.ts:1:2)",
  );
  expect(text({ k: "console.warn", msg: "careful", context: "hook.deploy" }, "$logs")).toBe(
    "warn   [hook.deploy]  careful",
  );
  expect(text({ k: "err", err: { name: "TypeError", message: "no", stack } }, "$logs")).toBe(
    "error  TypeError: no\n    at run (a.ts:1:2)",
  );
});
