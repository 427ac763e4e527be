import { afterEach, describe, expect, test, vi } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "./source.cases.ts";
import { conformance, source } from "./vitest.ts";

const plain = (members: string) => source({ code: componentText(members) });

test("a value that is neither a component nor a file is refused, with what to write", async () => {
  const { message, stack = "" } = await failureOf(() => source(42 as never));
  expect(message).toBe(
    'source() takes an imported component, the URL or path of its file, or { code }, got 42. Write source(new URL("./feed.mjs", import.meta.url)).',
  );
  expect(stack.split("\n")[1]).toContain("refusals.test.ts");
});

test("a missing file is refused, with the folder that its path was resolved from", async () => {
  const { message } = await failureOf(() => source("./no-such.mjs"));
  expect(message).toContain(
    `There is no component file ${process.cwd()}/no-such.mjs. "./no-such.mjs" was resolved from`,
  );
  expect((await failureOf(() => source(new URL("https://a.test/x.mjs")))).message).toContain(
    "must be a file on this machine",
  );
});

test("what steps do not know is refused, with what is near", async () => {
  await using trial = source({ code: inboxText });
  expect((await failureOf(() => trial.deploy({ emitOnDeplo: false } as object))).message).toBe(
    'There is no option "emitOnDeplo"; the options are emitOnDeploy. Did you mean "emitOnDeploy"?',
  );
  await trial.deploy();
  expect((await failureOf(() => trial.request("POST /", { bdy: 1 } as object))).message).toContain(
    'Did you mean "body"?',
  );
  expect((await failureOf(() => trial.update({ prop: {} } as object))).message).toContain('Did you mean "props"?');
  expect((await failureOf(() => trial.options("a", { qury: "b" } as object))).message).toContain(
    'Did you mean "query"?',
  );
});

test("steps that need a deployed source name deploy()", async () => {
  const trial = source({ code: inboxText });
  for (const step of [() => trial.run(), () => trial.request("POST /"), () => trial.update({}), () => trial.delete()])
    expect((await failureOf(step)).message).toContain("needs a source that is deployed: await deploy() first");
  expect((await failureOf(source({ code: feedText }, feedOptions).tick())).message).toBe(
    "tick() needs a source that is deployed: await deploy() first.",
  );
  await trial.deploy();
  expect((await failureOf(trial.deploy())).message).toContain("is deployed already");
});

test("an unknown option is refused; options of conformance are allowed", async () => {
  const { message, stack = "" } = await failureOf(() => source({ code: inboxText }, { prop: {} } as object));
  expect(message).toBe(
    'There is no option "prop"; the options are props, accounts, now, routes, root, name, settings, engine, limits. Did you mean "props"?',
  );
  expect(stack.split("\n")[1]).toContain("refusals.test.ts");
  const shared = { ...feedOptions, requests: ["POST /"], events: [] };
  expect(() => source({ code: feedText }, shared)).not.toThrow();
});

test("a tick without a due timer, a request without an HTTP prop and a malformed line are refused", async () => {
  const trial = plain("run() {}");
  await trial.deploy();
  expect((await failureOf(trial.tick())).message).toBe(
    'tick() has nothing to move to: no timer is due. Give it a duration, such as tick("1m").',
  );
  expect((await failureOf(trial.request("GET /"))).message).toBe(
    "request() needs an HTTP prop; this component has none.",
  );
  const two = plain(`props: { a: "$.interface.http", b: "$.interface.http" }, run() {}`);
  await two.deploy();
  expect((await failureOf(two.request("GET /"))).message).toBe(
    'The component has the HTTP props a, b; name one: request("POST /", { prop: "a" }).',
  );
  expect((await failureOf(two.request("GET /", { prop: "c" }))).message).toContain('none is "c"');
  expect((await failureOf(two.request("/", { prop: "a" }))).message).toContain('such as "POST /"');
});

test("every wrong prop is listed", async () => {
  const trial = source({ code: feedText }, { ...feedOptions, props: { board: 5, bord: "x" } });
  const { message } = await failureOf(trial.deploy());
  expect(message).toContain('has no prop "bord" (did you mean "board"?)');
  expect(message).toContain('Prop "board" must be a string, got 5');
  const many = source({ code: feedText }, { ...feedOptions, props: { board: "a", v: 1, w: 2, x: 3, y: 4 } });
  expect((await failureOf(many.deploy())).message).toMatch(/"v".*"w".*"x".*\nAlso: .*"y"/s);
});

test("S36 an app without an account has an empty $auth, with a warning", async () => {
  const acme = `acme: { type: "app", app: "acme", methods: { auth() { return this.$auth; } } }`;
  await using without = plain(`props: { ${acme} }, run() { this.$emit([this.acme.$auth, this.acme.auth()]); }`);
  await without.deploy();
  await without.run();
  expect(without.emits.map(({ event }) => event)).toEqual([[{}, {}]]);
  const message =
    'Prop "acme" has no account of the app "acme", so its $auth is empty: add accounts: { "acme": { … } } with the fields of $auth (missing-account)';
  expect(without.logs.map((log) => [log.level, log.message])).toEqual([["warn", message]]);
  expect(without.story).toContain(message);
});

test("an account that no app prop takes is refused", async () => {
  const other = source({ code: feedText }, { ...feedOptions, accounts: { acme: {}, other: {} } });
  expect((await failureOf(other.deploy())).message).toBe(
    "accounts names other, which no prop of Trial takes: its apps are acme.",
  );
});

test("an error in options is a ComponentError with the component's message", async () => {
  const trial = plain(`props: { a: { type: "string", options() { throw new Error("no list"); } } }, run() {}`);
  const error = await failureOf(trial.options("a"));
  expect([error.name, error.message]).toEqual(["ComponentError [options]", "no list"]);
});

test("a prop that does not exist has no choices", async () => {
  expect((await failureOf(plain("run() {}").options("a"))).message).toContain('"a"');
});

test("a component that cannot be bundled is refused, with file and line", async () => {
  const { message } = await failureOf(source({ code: "export default {" }).deploy());
  expect(message).toMatch(/component\.js:\d+/);
});

describe("fake timers", () => {
  afterEach(() => void vi.useRealTimers());

  test("are refused by every step, with what to write instead", async () => {
    const trial = source({ code: inboxText });
    await trial.deploy();
    vi.useFakeTimers();
    for (const step of [
      () => trial.tick("1m"),
      () => trial.request("POST /"),
      () => trial.run(),
      () => trial.restart(),
    ])
      expect((await failureOf(step)).message).toBe(
        'This test has fake timers (setTimeout is not the real one), so the runtime would wait for ever. A source has its own clock: set it with now: "2026-01-01T00:00:00Z", move it with tick("3m"), and remove vi.useFakeTimers(). For code of the test, fake only Date: vi.useFakeTimers({ toFake: ["Date"] }).',
      );
    const { stack = "" } = await failureOf(source({ code: inboxText }).deploy());
    expect(stack.split("\n")[1]).toContain("refusals.test.ts");
    expect((await failureOf(conformance({ code: inboxText }))).message).toContain("This test has fake timers");
    vi.useRealTimers();
    expect((await trial.request("POST /")).status).toBeLessThan(500);
  });

  test("do not prevent close", async () => {
    const trial = source({ code: inboxText });
    await trial.deploy();
    vi.useFakeTimers();
    await expect(trial.close()).resolves.toBeUndefined();
  });

  test("are named when only one timer is fake", async () => {
    vi.useFakeTimers({ toFake: ["setImmediate"] });
    const { message } = await failureOf(source({ code: inboxText }).deploy());
    expect(message).toContain("(setImmediate is not the real one)");
  });

  test("may fake Date alone; the component's Date stays that of its clock", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const trial = source({ code: componentText("run() { this.$emit(Date.now()); }") }, { now: 5_000 });
    await trial.deploy();
    await trial.run();
    expect(trial).toHaveEmitted([5_000]);
  });
});
