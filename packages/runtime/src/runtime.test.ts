import { afterEach, describe, expect, it } from "vitest";

import { manualClock } from "../../model/src/process/clock.ts";
import {
  answerText,
  createGate,
  gatedProp,
  gatedValue,
  makeFolder,
  openTrial,
  removeFolders,
  runText,
  settleTurns,
  startMs,
} from "./runtime.cases.ts";
import type { RuntimeOptions } from "./api/options.ts";
import { createRuntime } from "./runtime.ts";
import { testEngine } from "./engine.cases.ts";

afterEach(removeFolders);

const echo = runText(`this.$emit(event)`, `props: { http: { type: "$.interface.http", customResponse: true } },`);

describe("createRuntime", () => {
  it("several in one process share nothing", async () => {
    const [one, two] = await Promise.all([openTrial(), openTrial({}, startMs + 5_000)]);
    const a = await one.deploy(echo);
    const b = await two.deploy(echo);
    await Promise.all([
      one.runtime.invoke(a.source.id, { event: "one" }),
      two.runtime.invoke(b.source.id, { event: "two" }),
    ]);
    expect([await one.payloads(a.source.id), await two.payloads(b.source.id)]).toEqual([["one"], ["two"]]);
    await expect(two.runtime.source(a.source.id)).rejects.toMatchObject({ code: "not_found" });
    await one.runtime.close();
    expect(await two.runtime.invoke(b.source.id, { event: "still" })).toMatchObject({ status: "ok" });
    await two.runtime.close();
  });

  it("only one runtime can use a data folder", async () => {
    const data = makeFolder();
    const first = await createRuntime({ data, workers: 1 });
    await expect(createRuntime({ data, workers: 1 })).rejects.toMatchObject({ code: "store_locked" });
    await first.close();
    await (await createRuntime({ data, workers: 1 })).close();
  });

  it.each<[object, string]>([
    [{ limits: { retention: 0 } }, "limits.retention"],
    [{ limits: Object.fromEntries([["nothing", 1]]) }, "limits.nothing"],
    [{ dta: "x" }, '"dta" must be one of data,'],
    [{ limits: { runTimeout: 5 } }, '(did you mean "runTimeoutMs"?), got an unknown name'],
    [
      { network: { alow: [] } },
      '"network.alow" must be one of mode, allow, deny, upstream, fetch, exchange (did you mean "allow"?)',
    ],
    [{ packages: { cach: "x" } }, '(did you mean "cache"?)'],
    [{ registry: [{ fle: "x" }] }, '"registry.0.fle" must be one of'],
    [{ data: "" }, "data"],
    [{ workers: -1 }, "workers"],
    [{ publicUrl: "shop.test" }, "publicUrl"],
    [{ apiKey: "two words" }, '"apiKey" must be 1 to 512 characters without spaces or commas, got 9 characters'],
    [{ network: { mode: "deny" } }, '"network.mode" must be deny-private, allow-private, none, got "deny"'],
    [{ network: { deny: "10.0.0.0/8" } }, "network.deny"],
    [{ network: { denied: [] } }, "network.denied"],
    [{ packages: { cache: 1 } }, "packages.cache"],
    [{ registry: {} }, "registry"],
    [{ memory: {} }, "memory"],
    [{ keyv: {} }, "keyv"],
    [{ clock: {} }, "clock"],
    [{ logger: { info() {} } }, '"logger" must be an object with info, warn, error, got an object'],
    [{ accounts: { acme: {} } }, "accounts"],
    [{ observe: "x" }, "observe"],
  ])("refuses %j", async (options, name) => {
    await expect(createRuntime(options as RuntimeOptions)).rejects.toThrow(name);
  });

  it("names the module of the registry that is wrong by its pointer", async () => {
    const registry = [{ code: "x" }, { fle: "x" }];
    const refused = createRuntime({ registry } as unknown as RuntimeOptions);
    await expect(refused).rejects.toMatchObject({ details: { errors: [{ path: "/registry/1/fle" }] } });
  });

  it("accepts a clock with fractions of a millisecond, and uses whole ones", async () => {
    const clock = manualClock(startMs + 0.25);
    await using runtime = await createRuntime({ clock, data: makeFolder(), engine: await testEngine() });
    const code = runText(`this.$emit(Date.now())`);
    const { source } = await runtime.deploy({ code });
    expect(await runtime.invoke(source.id)).toMatchObject({ status: "ok" });
    clock.jump(0.5);
    expect(await runtime.invoke(source.id)).toMatchObject({ status: "ok" });
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: 2 });
    expect(items.map(({ id, payload }) => [id, payload])).toEqual([
      [`${startMs}-1`, String(startMs)],
      [`${startMs}-0`, String(startMs)],
    ]);
  });

  it("accepts a public URL with a trailing slash, and undefined names", async () => {
    const { runtime, deploy } = await openTrial({
      ...({ data: undefined } as object),
      publicUrl: "https://shop.test/events/",
    });
    const { configuredProps } = await deploy(echo);
    expect(configuredProps["http"]).toEqual({
      endpoint_url: expect.stringMatching(/^https:\/\/shop\.test\/events\/in\/\w+$/) as string,
    });
    await runtime.close();
  });
});

describe("close", () => {
  it("waits for the run under way, then refuses every call with closed", async () => {
    const gate = createGate();
    const { runtime, hit, deploy } = await openTrial({ accounts: gate.accounts });
    const view = await deploy(
      runText(`this.$emit(1)`, `props: { ${gatedProp}, http: "$.interface.http" },`),
      gatedValue,
    );
    const { id } = view.source;
    const events = runtime.events();
    gate.close();
    const run = runtime.invoke(id);
    await settleTurns();
    const closing = runtime.close();
    const again = runtime.close();
    const closed = { code: "closed" };
    await expect(runtime.invoke(id)).rejects.toMatchObject(closed);
    await expect(runtime.deploy({ code: echo })).rejects.toMatchObject(closed);
    await expect(runtime.update(id, {})).rejects.toMatchObject(closed);
    await expect(runtime.delete(id)).rejects.toMatchObject(closed);
    await expect(runtime.saveComponent({ code: echo })).rejects.toMatchObject(closed);
    await expect(runtime.db(id)).rejects.toMatchObject(closed);
    await expect(runtime.deleteEvents(id, "emits", {})).rejects.toMatchObject(closed);
    await expect(runtime.start()).rejects.toMatchObject(closed);
    expect((await hit(view)).status).toBe(503);
    gate.open();
    expect(await run).toMatchObject({ status: "ok" });
    await Promise.all([closing, again]);
    expect(await events.next()).toMatchObject({ done: false });
    expect(await events.next()).toMatchObject({ done: true });
    await expect(runtime.source(id)).rejects.toMatchObject(closed);
    await expect(runtime.sources({ limit: 1 })).rejects.toMatchObject(closed);
  });

  it("4.1 a run longer than the drain has no effect, and runs again after the next start", async () => {
    const data = makeFolder();
    const code = runText(
      `this.$emit("begun"); this.db.set("n", 1); await new Promise((done) => setTimeout(done, event.ms))`,
      `props: { db: "$.service.db" },`,
    );
    const first = await createRuntime({ data, clock: manualClock(startMs), engine: await testEngine() });
    await first.start();
    const { source } = await first.deploy({ code });
    const run = first.invoke(source.id, { event: { ms: 60_000 } }).catch((error: unknown) => error);
    await settleTurns();
    await first.close({ drainMs: 50 });
    expect(await run).toMatchObject({ code: "closed" });

    const second = await openTrial({ data, limits: { runTimeoutMs: 300 } });
    await second.runtime.idle();
    // It ran again from its beginning, now against a shorter limit.
    expect(await second.payloads(source.id)).toEqual(["begun"]);
    expect(await second.payloads(source.id, "$errors")).toMatchObject([
      {
        error: { code: "sandbox_timeout" },
        original_event: { ms: 60_000 },
        original_context: { source_type: "MANUAL" },
      },
    ]);
    await second.runtime.close();
  });

  it("a client that waits for an interrupted run gets 503", async () => {
    const { runtime, hit, deploy } = await openTrial();
    const view = await deploy(
      runText(
        `await new Promise((done) => setTimeout(done, 60000))`,
        `props: { http: { type: "$.interface.http", customResponse: true } },`,
      ),
    );
    const answer = hit(view);
    await settleTurns();
    await runtime.close({ drainMs: 20 });
    expect((await answer).status).toBe(503);
    expect(answerText(await answer)).toContain("closed");
  });

  it("closes with await using", async () => {
    let runtime;
    {
      await using scoped = await createRuntime({ workers: 1 });
      runtime = scoped;
      expect((await scoped.user()).user.id).toMatch(/^u_/);
    }
    await expect(runtime.start()).rejects.toMatchObject({ code: "closed" });
  });
});
