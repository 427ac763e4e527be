import { beforeAll, describe, expect, test } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "./source.cases.ts";
import { source, type SourceUnderTest } from "./vitest.ts";

/** What an expectation that fails says, without colours. */
const said = async (expectation: () => unknown): Promise<string> => (await failureOf(expectation)).message;

let feed: SourceUnderTest;
beforeAll(async () => {
  feed = source({ code: feedText }, feedOptions);
  await feed.deploy();
  await feed.tick("2m");
});

describe("toHaveEmitted", () => {
  test("takes exactly these events in this order, each in part", () => {
    expect(feed).toHaveEmitted([{ id: 1 }, { id: expect.any(Number) as unknown }]);
    expect(feed).not.toHaveEmitted([{ id: 1 }]);
    expect(feed).not.toHaveEmitted([{ id: 2 }, { id: 1 }]);
    expect(feed).toHaveEmitted({ id: 2 });
    expect(feed).not.toHaveEmitted({ id: 3 });
    expect(feed.runs.at(-1)).toHaveEmitted([]);
  });

  test("shows what is missing, what is too much, what differs, and what was dropped", async () => {
    expect(await said(() => expect(feed).toHaveEmitted([{ id: 0 }, { id: 2 }, { id: 3, name: /x/ }]))).toBe(
      [
        "Expected 3 events, the source has emitted 2 (= as expected, - missing, + not expected, ! different):",
        '  ! {"id":1}',
        "      id: expected 0, got 1",
        '  = {"id":2}',
        '  - {"id":3,"name":"/x/"}',
        "Dedupe dropped 2 events:",
        '  {"id":1}: id "1" was emitted in an earlier run',
        '  {"id":2}: id "2" was emitted in an earlier run',
      ].join("\n"),
    );
    expect(await said(() => expect(feed).toHaveEmitted({ id: 3 }))).toContain('  ! {"id":1}   id: expected 3, got 1');
  });

  test("tells what the component threw, when that is why nothing came", async () => {
    const trial = source({ code: componentText(`run() { throw new TypeError("bad"); }`) });
    await trial.deploy();
    await failureOf(trial.run());
    const text = await said(() => expect(trial).toHaveEmitted({ id: 1 }));
    expect(text).toContain("nothing was emitted.");
    expect(text).toContain("The component failed:\n  run: TypeError: bad at run (component.js:1:");
  });

  test("tells of a step that nobody awaited", async () => {
    const trial = source({ code: componentText(`run() { this.$emit(1); }`) });
    await trial.deploy();
    const step = trial.run({ a: 1 });
    const text = await said(() => expect(trial).toHaveEmitted());
    expect(text).toBe(
      'Expected an event, the source has emitted none.\nThe step "run {"a":1}" has not ended: await it.',
    );
    await step;
    expect(trial.underWay).toEqual([]);
    await failureOf(trial.tick("no time"));
    expect(trial.underWay).toEqual([]);
    expect(await said(() => expect(trial).not.toHaveEmitted())).not.toContain("await it");
  });

  test("looks at one channel when asked to", async () => {
    const trial = source({ code: componentText(`run() { this.$emit(1); this.$emit(2, { name: "more" }); }`) });
    await trial.deploy();
    await trial.run();
    expect(trial).toHaveEmitted([1, 2]);
    expect(trial).toHaveEmitted([2], { channel: "more" });
    expect(trial).toHaveEmittedTimes(1, { channel: "" });
    expect(await said(() => expect(trial).toHaveEmittedTimes(2, { channel: "more" }))).toBe(
      'Expected 2 events on channel "more", the source has emitted 1:\n  2',
    );
  });

  test("takes nothing for any event", async () => {
    expect(feed).toHaveEmitted();
    expect(feed.runs.at(-1)).not.toHaveEmitted();
    expect(await said(() => expect(feed.runs.at(-1)).toHaveEmitted())).toBe(
      [
        "Expected an event, the source has emitted none.",
        "Dedupe dropped 2 events:",
        '  {"id":1}: id "1" was emitted in an earlier run',
        '  {"id":2}: id "2" was emitted in an earlier run',
      ].join("\n"),
    );
    expect(await said(() => expect(feed).not.toHaveEmitted())).toContain(
      'Expected no event, the source has emitted 2:\n  {"id":1}\n  {"id":2}',
    );
  });

  test("shows long texts from where they differ", async () => {
    const trial = source({ code: componentText(`run() { this.$emit({ page: "a".repeat(200) + "b" }); }`) });
    await trial.deploy();
    await trial.run();
    expect(await said(() => expect(trial).toHaveEmitted([{ page: "a".repeat(202) }]))).toContain(
      `page: expected …"${"a".repeat(22)}", got …"${"a".repeat(20)}b" (alike up to character 200)`,
    );
  });

  test("refuses what is no source, what is not awaited yet, and a number that is none", async () => {
    expect(await said(() => expect([]).toHaveEmitted([]))).toBe(
      "expect(…).toHaveEmitted takes a source under test or one of its runs, got [].",
    );
    expect(await said(() => expect(feed.tick("1s")).toHaveEmitted([]))).toBe(
      "expect(…).toHaveEmitted takes a source under test or one of its runs, got a promise: await it first.",
    );
    expect(await said(() => expect(feed).toHaveEmittedTimes("2" as never))).toBe(
      'toHaveEmittedTimes takes a number of events, got "2".',
    );
  });
});

describe("toHaveDeduped", () => {
  test("takes how many, which, one such, or any", async () => {
    expect(feed).toHaveDeduped();
    expect(feed).toHaveDeduped(2);
    expect(feed).toHaveDeduped({ id: "2", reason: "duplicate" });
    expect(feed).toHaveDeduped([{ id: "1" }, { event: { id: 2 } }]);
    expect(feed).not.toHaveDeduped({ id: "3" });
    expect(await said(() => expect(feed).toHaveDeduped([{ id: "1" }, { id: "9" }]))).toContain(
      '  ! {"id":2}: id "2" was emitted in an earlier run\n      id: expected "9", got "2"',
    );
    expect(await said(() => expect(feed).toHaveDeduped(0))).toContain("Dropped were 2:");
  });
});

describe("toHaveRequested", () => {
  test("takes a line as routes have, a path at any host, and what was sent", async () => {
    expect(feed).toHaveRequested("GET https://api.example.test/items");
    expect(feed).toHaveRequested("GET /items", 2);
    expect(feed).toHaveRequested("GET /items", { query: { board: "main" }, headers: { authorization: /^Bearer / } });
    expect(feed).not.toHaveRequested("POST /items");
    const wrong = (): unknown => expect(feed).toHaveRequested("GET /items", { times: 1, query: { board: "other" } });
    expect(await said(wrong)).toBe(
      [
        'Expected GET /items with {"query":{"board":"other"}} to be requested 1 time, it was not.',
        "The component has requested:",
        '    GET https://api.example.test/items?board=main -> 200   query.board: expected "other", got "main"',
        '    GET https://api.example.test/items?board=main -> 200   query.board: expected "other", got "main"',
      ].join("\n"),
    );
  });
});

describe("toHaveRespondedWith", () => {
  test("takes a status, or status, headers and body, and says what the component threw", async () => {
    const inbox = source({ code: inboxText });
    await inbox.deploy();
    const answer = await inbox.request("POST /", { body: { id: 1 } });
    expect(answer).toHaveRespondedWith(201);
    expect(answer).toHaveRespondedWith(201, { got: { id: 1 } });
    expect(answer).toHaveRespondedWith({ status: 201, headers: { "x-type": /json/ }, body: { got: {} } });
    expect(await said(() => expect(answer).toHaveRespondedWith(200))).toBe(
      'The answer is not as expected:\n  status: expected 200, got 201\nIt was 201 {"got":{"id":1}}',
    );
    const failed = await inbox.request("POST /", { body: "throw" });
    expect(failed).toHaveRespondedWith(500);
    expect(await said(() => expect(failed).toHaveRespondedWith(201))).toContain(
      "because run threw RangeError: cannot take this",
    );
    expect(await said(() => expect(inbox).toHaveRespondedWith(200))).toContain(
      'expect(await source.request("POST /"))',
    );
  });
});

describe("toHaveRunHooks and toExceedLimit", () => {
  test("take the hooks in their order, and the limit by its name", async () => {
    expect(feed).toHaveRunHooks(["deploy", "activate"]);
    expect(await said(() => expect(feed).toHaveRunHooks(["activate", "deactivate"]))).toContain(
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
      'Expected the limit "time" to be exceeded.\nThe component failed with:\n  component_threw: no',
    );
    // A step that fails is heard all the same: it is no unhandled rejection.
    const unknown = expect(trial.run({ fail: 1 })).toExceedLimit("speed" as never);
    expect((await failureOf(unknown)).message).toContain("the limits are time,");
  });
});
