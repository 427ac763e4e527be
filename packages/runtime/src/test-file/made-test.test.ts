import { runInNewContext } from "node:vm";

import { describe, expect, it } from "vitest";

import { dbBefore } from "./db-before.ts";
import { expectedValues } from "./expected-values.ts";
import { Call, Code, inComment, literal, quoted } from "./literal.ts";
import { madeTest } from "./made-test.ts";
import { readRecord } from "./read-record.ts";
import type { TestRun, TestSubject } from "./test-run.ts";

const run: TestRun = {
  id: "3MNioWX0YeWBc2RZvavC7IOrG4q",
  startedAt: Date.UTC(2026, 0, 1, 0, 0, 0, 500),
  endedAt: Date.UTC(2026, 0, 1, 0, 0, 1, 200),
  status: "ok",
  event: {},
  emitted: [],
  dropped: [],
  calls: [],
  db: [],
  dataStores: [],
  steps: [],
  omitted: [],
};
const subject: TestSubject = {
  kind: "source",
  name: "Trial",
  props: [],
  configuredProps: {},
  secrets: [],
  notes: [],
  settings: {},
  ids: ["dc_1"],
  endpointKeys: ["k3y0f4n3ndp01nt"],
  dbBefore: {},
  dataStoresBefore: {},
  accounts: {},
  file: "./trial.ts",
};
const call = { method: "GET", status: 200, requestHeaders: {}, responseHeaders: {} };
const lineWith = (text: string, part: string): string | undefined =>
  text
    .split("\n")
    .find((line) => line.includes(part))
    ?.trim();

describe("literals", () => {
  it("are JavaScript that means the same value", () => {
    const value = {
      ["__proto__"]: 1,
      "a-b": ["it's", 'say "x"', "both ' and \""],
      long: Array.from({ length: 80 }, (_, n) => n),
    };
    const read = runInNewContext(`(${literal(value)})`) as unknown;
    expect(read).toEqual(value);
    expect(
      literal(value)
        .split("\n")
        .every((line) => line.length <= 120),
    ).toBe(true);
    expect(quoted('a "b" \\ \n')).toBe(`'a "b" \\\\ \\n'`);
  });

  it("have no characters that are not seen", () => {
    expect(quoted("a\u202eb\u0085\u2028")).toBe(String.raw`"a\u202eb\u0085\u2028"`);
    expect(inComment("two\nlines\u202e")).toBe(String.raw`two lines\u202e`);
  });

  it("keep the last object of a call in the line of its parenthesis", () => {
    const text = literal(new Call("f", new Code("x"), { name: "y".repeat(120) }));
    expect(text.split("\n")[0]).toBe("f(x, {");
  });
});

describe("expected values", () => {
  const times = { startedAt: run.startedAt, endedAt: run.endedAt };
  const expected = expectedValues({
    ...times,
    texts: ['{"at":"2026-01-01T00:00:00.700Z"}'],
    given: [],
    own: ["endpoint-1"],
  });
  it("are matchers where they differ from run to run", () => {
    const differing = [
      run.startedAt + 10,
      1_767_225_601,
      "at 2026-01-01T00:00:01.100Z",
      "2026-01-01T00:00:01Z",
      "a endpoint-1",
      "secret-1",
    ];
    for (const value of differing) expect(expected(value), String(value)).toBeInstanceOf(Call);
    expect(expected("8d5e7f00-1111-4222-8333-444455556666")).toBeInstanceOf(Call);
  });

  it("are the values that the run was given, and all others", () => {
    const same = ["2026-01-01T00:00:00.700Z", "2025-01-01T00:00:00Z", 7, true, null, { a: ["b"] }];
    for (const value of same) expect(expected(value)).toEqual(value);
  });
});

describe("made tests", () => {
  it("give each request of a route its answer, and failures as functions", () => {
    const text = madeTest(
      {
        ...run,
        calls: [
          { ...call, url: "https://u:password-1@a.test/x?page=1#part", responseBody: "{}" },
          { ...call, url: "https://a.test/x?page=1", status: null, error: "reset" },
          {
            ...call,
            url: "https://a.test/bot123456:token-1/x?token=abcdefgh",
            responseBody: '{"id":12345678901234567890}',
            isCut: true,
          },
          {
            ...call,
            url: "https://a.test/a:b/c:b",
            responseBody: '"text"',
            responseHeaders: { "content-type": "application/json" },
          },
        ],
      },
      subject,
    );
    expect(lineWith(text, "page=1")).toBe(
      `"GET https://a.test/x?page=1": ({ times }) => [() => ({}), () => Promise.reject(new Error("reset"))][times]?.(),`,
    );
    expect(lineWith(text, "bot1")).toContain(
      `"GET https://a.test/bot123456:token-1/x": reply(200, '{"id":12345678901234567890}'`,
    );
    expect(lineWith(text, "https://a.test/a*")).toContain(`"GET https://a.test/a*/c*": reply(200, '"text"'`);
    expect(text).toContain("only the beginning of some bodies");
    expect(text).not.toMatch(/password-1|abcdefgh/);
  });

  it("expect the error of a run that failed, but not the text of a limit", () => {
    const error = { name: "Error", message: 'it "fails"', code: "component_threw" };
    const failed = madeTest({ ...run, status: "error", error }, subject);
    expect(failed).toContain(`await expect(subject.run(event)).rejects.toThrow('it "fails"');`);
    const late = madeTest({ ...run, status: "timeout", error: { name: "Timeout", message: "after 5 s" } }, subject);
    expect(late).toContain("rejects.toThrow();");
    expect(late).not.toContain("after 5 s");
  });

  it("compare only what the record has", () => {
    const text = madeTest({ ...run, omitted: ["The record lacks 3 events, so they are not compared."] }, subject);
    expect(text).toContain("// The record lacks 3 events");
    expect(text).not.toContain("subject.emits");
    const cut = madeTest(
      { ...run, db: [{ key: "large", isCut: true }], emitted: [{ payload: undefined, channel: "side", ts: 5 }] },
      subject,
    );
    expect(cut).toContain(`expect(subject.db).toEqual({ large: expect.anything() });`);
    expect(cut).toContain(`expect.objectContaining({ event: expect.anything(), ts: 5, channel: "side" })`);
  });
});

it("data stores are filled before the run, and compared after it", () => {
  const before = { shop: { a: 1, token: "secret-of-the-store" }, till: { only: 1 } };
  const dataStores = [
    { name: "shop", key: "a", before: 1, after: { n: 2 } },
    { name: "shop", key: "large", isCut: true },
    { name: "till", key: "only", before: 1 },
    { name: "new", key: "k", after: 3 },
  ];
  const text = madeTest({ ...run, dataStores }, { ...subject, dataStoresBefore: before });
  expect(text).toContain('  await subject.setDataStore("shop", { a: 1, token: "secret-1" });\n');
  expect(text).toContain('  await subject.setDataStore("till", { only: 1 });\n  await subject.restore();\n');
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    'expect(subject.dataStores).toEqual({ shop: { a: { n: 2 }, token: "secret-1", large: expect.anything() }, new: { k: 3 }, });',
  );
  expect(text).toContain("// Data stores begin as far as they are known");
  expect(madeTest(run, subject)).not.toContain("dataStores");
  const workflow = madeTest(run, { ...subject, kind: "workflow", dataStoresBefore: before });
  expect(workflow).toContain('  await subject.setDataStore("till", { only: 1 });\n  await subject.register();\n');
});

it("the db before a run is the present one without the changes of the run and of later ones", () => {
  const present = new Map([
    ["a", "3"],
    ["b", "1"],
    ["c", '"kept"'],
  ]);
  const later = [{ key: "a", before: "2", after: "3" }];
  const own = [
    { key: "a", before: "1", after: "2" },
    { key: "b", before: null, after: "1" },
    { key: "d", before: "4", after: null },
  ];
  expect(dbBefore(present, [later, own])).toEqual({ a: 1, c: "kept", d: 4 });
  expect(dbBefore(new Map([...present, ["large", `"${"x".repeat(20_000)}"`]]), [own])).toEqual({ a: 1, d: 4 });
});

it("hooks and runs without their event have no record for a test", () => {
  const detail = { event: null, omitted: {} };
  for (const entry of ["run", "deploy"] as const)
    expect(readRecord({ ...run, entry, detail } as unknown as Parameters<typeof readRecord>[0])).toBeUndefined();
});
