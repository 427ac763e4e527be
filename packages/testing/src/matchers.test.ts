import { beforeAll, describe, expect, test } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "./source.cases.ts";
import { source, type SourceUnderTest } from "./vitest.ts";

/** The message of a failed expectation, without colours. */
const failureText = async (expectation: () => unknown): Promise<string> => (await failureOf(expectation)).message;

let feed: SourceUnderTest;
beforeAll(async () => {
  feed = source({ code: feedText }, feedOptions);
  await feed.deploy();
  await feed.tick("2m");
});

describe("toHaveEmitted", () => {
  test("compares a list with all events, in order, by the given fields", () => {
    expect(feed).toHaveEmitted([{ id: 1 }, { id: expect.any(Number) as unknown }]);
    expect(feed).not.toHaveEmitted([{ id: 1 }]);
    expect(feed).not.toHaveEmitted([{ id: 2 }, { id: 1 }]);
    expect(feed).toHaveEmitted({ id: 2 });
    expect(feed).not.toHaveEmitted({ id: 3 });
    expect(feed.runs.at(-1)).toHaveEmitted([]);
  });

  test("shows missing, unexpected, different and dropped events", async () => {
    expect(await failureText(() => expect(feed).toHaveEmitted([{ id: 0 }, { id: 2 }, { id: 3, name: /x/ }]))).toBe(
      [
        "Expected 3 events, the source emitted 2 (= as expected, - missing, + not expected, ! different):",
        '  ! {"id":1}',
        "      id: expected 0, got 1",
        '  = {"id":2}',
        '  - {"id":3,"name":"/x/"}',
        "Dedupe dropped 2 events:",
        '  {"id":1}: id "1" was emitted in an earlier run',
        '  {"id":2}: id "2" was emitted in an earlier run',
      ].join("\n"),
    );
    expect(await failureText(() => expect(feed).toHaveEmitted({ id: 3 }))).toContain(
      '  ! {"id":1}   id: expected 3, got 1',
    );
  });

  test("shows the error of the component when nothing was emitted", async () => {
    const trial = source({ code: componentText(`run() { throw new TypeError("bad"); }`) });
    await trial.deploy();
    await failureOf(trial.run());
    const text = await failureText(() => expect(trial).toHaveEmitted({ id: 1 }));
    expect(text).toContain("nothing was emitted.");
    expect(text).toContain("The component failed:\n  run: TypeError: bad at run (component.js:1:");
  });

  test("names a step that was not awaited", async () => {
    const trial = source({ code: componentText(`run() { this.$emit(1); }`) });
    await trial.deploy();
    const step = trial.run({ a: 1 });
    const text = await failureText(() => expect(trial).toHaveEmitted());
    expect(text).toBe('Expected an event, the source emitted none.\nThe step "run {"a":1}" has not ended: await it.');
    await step;
    expect(trial.underWay).toEqual([]);
    await failureOf(trial.tick("no time"));
    expect(trial.underWay).toEqual([]);
    expect(await failureText(() => expect(trial).not.toHaveEmitted())).not.toContain("await it");
  });

  test("filters by channel", async () => {
    const trial = source({ code: componentText(`run() { this.$emit(1); this.$emit(2, { name: "more" }); }`) });
    await trial.deploy();
    await trial.run();
    expect(trial).toHaveEmitted([1, 2]);
    expect(trial).toHaveEmitted([2], { channel: "more" });
    expect(trial).toHaveEmittedTimes(1, { channel: "" });
    expect(await failureText(() => expect(trial).toHaveEmittedTimes(2, { channel: "more" }))).toBe(
      'Expected 2 events on channel "more", the source emitted 1:\n  2',
    );
  });

  test("without a value expects any event", async () => {
    expect(feed).toHaveEmitted();
    expect(feed.runs.at(-1)).not.toHaveEmitted();
    expect(await failureText(() => expect(feed.runs.at(-1)).toHaveEmitted())).toBe(
      [
        "Expected an event, the source emitted none.",
        "Dedupe dropped 2 events:",
        '  {"id":1}: id "1" was emitted in an earlier run',
        '  {"id":2}: id "2" was emitted in an earlier run',
      ].join("\n"),
    );
    expect(await failureText(() => expect(feed).not.toHaveEmitted())).toContain(
      'Expected no event, the source emitted 2:\n  {"id":1}\n  {"id":2}',
    );
  });

  test("shows long texts from shortly before the first difference", async () => {
    const trial = source({ code: componentText(`run() { this.$emit({ page: "a".repeat(200) + "b" }); }`) });
    await trial.deploy();
    await trial.run();
    expect(await failureText(() => expect(trial).toHaveEmitted([{ page: "a".repeat(202) }]))).toContain(
      `page: expected …"${"a".repeat(22)}", got …"${"a".repeat(20)}b" (alike up to character 200)`,
    );
  });

  test("refuses other values, promises, and a wrong number", async () => {
    expect(await failureText(() => expect([]).toHaveEmitted([]))).toBe(
      "expect(…).toHaveEmitted takes a source under test or one of its runs, got [].",
    );
    expect(await failureText(() => expect(feed.tick("1s")).toHaveEmitted([]))).toBe(
      "expect(…).toHaveEmitted takes a source under test or one of its runs, got a promise: await it first.",
    );
    expect(await failureText(() => expect(feed).toHaveEmittedTimes("2" as never))).toBe(
      'toHaveEmittedTimes takes a number of events, got "2".',
    );
  });
});

describe("toHaveDeduped", () => {
  test("takes a number, a list, a value, or nothing", async () => {
    expect(feed).toHaveDeduped();
    expect(feed).toHaveDeduped(2);
    expect(feed).toHaveDeduped({ id: "2", reason: "duplicate" });
    expect(feed).toHaveDeduped([{ id: "1" }, { event: { id: 2 } }]);
    expect(feed).not.toHaveDeduped({ id: "3" });
    expect(await failureText(() => expect(feed).toHaveDeduped([{ id: "1" }, { id: "9" }]))).toContain(
      '  ! {"id":2}: id "2" was emitted in an earlier run\n      id: expected "9", got "2"',
    );
    expect(await failureText(() => expect(feed).toHaveDeduped(0))).toContain("Dedupe dropped 2:");
  });
});

describe("toHaveRequested", () => {
  test("takes a line as in routes, a path at any host, and fields of the request", async () => {
    expect(feed).toHaveRequested("GET https://api.example.test/items");
    expect(feed).toHaveRequested("GET /items", 2);
    expect(feed).toHaveRequested("GET /items", { query: { board: "main" }, headers: { authorization: /^Bearer / } });
    expect(feed).not.toHaveRequested("POST /items");
    const wrong = (): unknown => expect(feed).toHaveRequested("GET /items", { times: 1, query: { board: "other" } });
    expect(await failureText(wrong)).toBe(
      [
        'Expected GET /items with {"query":{"board":"other"}} to be requested 1 time, it was not.',
        "The component sent:",
        '    GET https://api.example.test/items?board=main -> 200   query.board: expected "other", got "main"',
        '    GET https://api.example.test/items?board=main -> 200   query.board: expected "other", got "main"',
      ].join("\n"),
    );
  });
});

describe("toHaveRespondedWith", () => {
  test("takes a status, or status, headers and body, and shows the error of the component", async () => {
    const inbox = source({ code: inboxText });
    await inbox.deploy();
    const answer = await inbox.request("POST /", { body: { id: 1 } });
    expect(answer).toHaveRespondedWith(201);
    expect(answer).toHaveRespondedWith(201, { got: { id: 1 } });
    expect(answer).toHaveRespondedWith({ status: 201, headers: { "x-type": /json/ }, body: { got: {} } });
    expect(await failureText(() => expect(answer).toHaveRespondedWith(200))).toBe(
      'The answer is not as expected:\n  status: expected 200, got 201\nGot 201 {"got":{"id":1}}',
    );
    const failed = await inbox.request("POST /", { body: "throw" });
    expect(failed).toHaveRespondedWith(500);
    expect(await failureText(() => expect(failed).toHaveRespondedWith(201))).toContain(
      "because run threw RangeError: cannot take this",
    );
    expect(await failureText(() => expect(inbox).toHaveRespondedWith(200))).toContain(
      'expect(await source.request("POST /"))',
    );
  });
});

describe("toHaveRunHooks and toExceedLimit", () => {
  test("take hooks in order, and a limit by name", async () => {
    expect(feed).toHaveRunHooks(["deploy", "activate"]);
    expect(await failureText(() => expect(feed).toHaveRunHooks(["activate", "deactivate"]))).toContain(
      '  + "deploy"\n  = "activate"\n  - "deactivate"',
    );
    const trial = source({
      code: componentText(`run(e) { if (e.fail) throw new Error("no"); this.$emit("x".repeat(7e6)); }`),
    });
    await trial.deploy();
    await expect(trial.run({})).toExceedLimit("emit size");
    await expect(trial.run({})).toExceedLimit();
    const none = expect(trial.run({ fail: 1 })).toExceedLimit();
    expect((await failureOf(none)).message).toContain("Expected a limit to be exceeded.\n");
    const other = expect(trial.run({ fail: 1 })).toExceedLimit("time");
    expect((await failureOf(other)).message).toBe(
      'Expected the limit "time" to be exceeded.\nThe component failed:\n  component_threw: no',
    );
    // The failed step is awaited all the same, so there is no unhandled rejection.
    const unknown = expect(trial.run({ fail: 1 })).toExceedLimit("speed" as never);
    expect((await failureOf(unknown)).message).toContain("the limits are time,");
  });
});
