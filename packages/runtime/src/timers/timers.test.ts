import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { settableClock } from "../../../model/src/process/clock.cases.ts";
import { manualClock } from "../../../model/src/process/clock.ts";
import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  makeFolder,
  openTrial,
  removeFolders,
  settleTurns,
  startMs,
  type Trial,
  trialOf,
} from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { testEngine } from "../engine.cases.ts";

let trial: Trial;
const gate = createGate();
beforeAll(async () => {
  trial = await openTrial({ accounts: gate.accounts });
});
afterAll(() => trial.runtime.close());
afterEach(removeFolders);

const every = (timer: string, body = "this.$emit(event)"): string =>
  componentText(`props: { timer: { type: "$.interface.timer", default: ${timer} } }, async run(event) { ${body} },`);
const minute = every("{ intervalSeconds: 60 }");
const seconds = (ms: number): number => Math.floor(ms / 1_000);

describe("an interval", () => {
  it("G39 R057 no tick at the deploy; the first tick is one interval later, in whole seconds", async () => {
    const at = trial.clock.now();
    const { source } = await trial.deploy(minute);
    await trial.advance(59_999);
    expect(await trial.payloads(source.id)).toEqual([]);
    await trial.advance(1);
    expect(await trial.payloads(source.id)).toEqual([{ timestamp: seconds(at) + 60, interval_seconds: 60 }]);
  });

  it("4.7 ticks stay on their grid, however late each one runs", async () => {
    const at = trial.clock.now();
    const { source } = await trial.deploy(minute);
    for (const late of [60_700, 59_900, 60_000]) await trial.advance(late);
    const ticks = (await trial.payloads(source.id)) as { timestamp: number }[];
    expect(ticks.map(({ timestamp }) => timestamp - seconds(at))).toEqual([60, 120, 180]);
  });

  it("S29 each due tick runs when the clock is advanced, in order, also those of other sources and runtimes", async () => {
    const clock = manualClock(startMs);
    const [one, other] = [await openTrial({ clock }), await openTrial({ clock })];
    const ofMinute = (await one.deploy(minute)).source.id;
    const ofMinutes = (await one.deploy(every("{ intervalSeconds: 150 }"))).source.id;
    const ofOther = (await other.deploy(every("{ cron: '*/2 * * * *' }"))).source.id;
    expect(await clock.advance(300_000)).toEqual({ steps: 6, coalesced: false });
    const times = async (trialOne: Trial, id: string): Promise<number[]> =>
      ((await trialOne.payloads(id)) as { timestamp: number }[]).map(({ timestamp }) => timestamp - seconds(startMs));
    expect(await times(one, ofMinute)).toEqual([60, 120, 180, 240, 300]);
    expect(await times(one, ofMinutes)).toEqual([150, 300]);
    expect(await times(other, ofOther)).toEqual([120, 240]);
    await other.runtime.close();
    await clock.advance(120_000);
    expect(await times(one, ofMinute)).toHaveLength(7);
    await one.runtime.close();
  });

  it("G40 missed ticks are replaced by one catch-up tick", async () => {
    const at = trial.clock.now();
    const { source } = await trial.deploy(minute);
    // A clock that jumps: nothing could run in between.
    trial.clock.jump(200_000);
    await trial.runtime.idle();
    await trial.advance(40_000);
    const ticks = (await trial.payloads(source.id)) as { timestamp: number }[];
    expect(ticks.map(({ timestamp }) => timestamp - seconds(at))).toEqual([60, 240]);
  });

  it("G40 while a run is under way at most one tick waits", async () => {
    const { source } = await trial.deploy(
      componentText(
        `props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }, ${gatedProp} }, run(event) { this.$emit(event.timestamp) },`,
      ),
      gatedValue,
    );
    const at = seconds(trial.clock.now());
    gate.close();
    for (let tick = 0; tick < 5; tick++) {
      trial.clock.jump(60_000);
      await settleTurns();
    }
    gate.open();
    await trial.runtime.idle();
    expect(await trial.payloads(source.id)).toEqual([at + 60, at + 120]);
    await trial.advance(60_000);
    expect((await trial.payloads(source.id)).slice(2)).toEqual([at + 360]);
  });

  it("3.3 an interval of thirty days fires after thirty days", async () => {
    const days = 30 * 24 * 3_600;
    const { source } = await trial.deploy(every(`{ intervalSeconds: ${days} }`));
    await trial.advance((days - 1) * 1_000);
    expect(await trial.payloads(source.id)).toEqual([]);
    await trial.advance(1_000);
    expect(await trial.payloads(source.id)).toMatchObject([{ interval_seconds: days }]);
    await trial.runtime.delete(source.id);
  });

  it("R055 the default interval is an hour; the configured value takes precedence", async () => {
    const hour = await trial.deploy(componentText(`props: { timer: "$.interface.timer" }, run() {},`));
    const given = await trial.deploy(minute, { timer: { intervalSeconds: 5 } });
    expect(hour.configuredProps["timer"]).toEqual({ cron: null, interval_seconds: 3_600 });
    expect(given.configuredProps["timer"]).toEqual({ cron: null, interval_seconds: 5 });
    await trial.advance(5_000);
    expect(await trial.payloads(given.source.id)).toMatchObject([{ interval_seconds: 5 }]);
    for (const { source } of [hour, given]) await trial.runtime.delete(source.id);
  });

  it("R056 this.<timer> is the interface object with its schedule", async () => {
    const { source } = await trial.deploy(every("{ intervalSeconds: 60 }", "this.$emit(this.timer)"));
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual([{ type: "$.interface.timer", intervalSeconds: 60 }]);
  });
});

describe("a cron timer", () => {
  it("S3 G42 its event has the cron, its zone and the seconds since the tick before", async () => {
    const { source } = await trial.deploy(every(`{ cron: "0 9 * * *", timezone: "Europe/Berlin" }`));
    await trial.advance(24 * 3_600_000);
    await trial.advance(24 * 3_600_000);
    const ticks = (await trial.payloads(source.id)) as { timestamp: number }[];
    expect(ticks).toMatchObject([
      { interval_seconds: 86_400, cron: "0 9 * * *", timezone: "Europe/Berlin" },
      { interval_seconds: 86_400, cron: "0 9 * * *", timezone: "Europe/Berlin" },
    ]);
    // Nine o'clock in Berlin is eight o'clock UTC in winter.
    expect(ticks.map(({ timestamp }) => new Date(timestamp * 1_000).toISOString().slice(11))).toEqual([
      "08:00:00.000Z",
      "08:00:00.000Z",
    ]);
    const view = await trial.runtime.source(source.id);
    expect(view.configuredProps["timer"]).toMatchObject({ cron: "0 9 * * *", interval_seconds: 0 });
    await trial.runtime.delete(source.id);
  });

  it("G38 without a zone it is UTC", async () => {
    const { source } = await trial.deploy(every(`{ cron: "30 10 * * *" }`));
    await trial.advance(24 * 3_600_000);
    const [tick] = (await trial.payloads(source.id)) as { timestamp: number }[];
    expect(new Date((tick?.timestamp ?? 0) * 1_000).toISOString().slice(11, 16)).toBe("10:30");
    await trial.runtime.delete(source.id);
  });
});

describe("an update", () => {
  it("G39 an unchanged schedule keeps its countdown, a changed one restarts it", async () => {
    const { source } = await trial.deploy(minute);
    await trial.advance(40_000);
    await trial.runtime.update(source.id, { code: every("{ intervalSeconds: 60 }", "this.$emit('new')") });
    await trial.advance(20_000);
    expect(await trial.payloads(source.id)).toEqual(["new"]);
    await trial.advance(40_000);
    await trial.runtime.update(source.id, { props: { timer: { intervalSeconds: 90 } } });
    await trial.advance(89_000);
    expect(await trial.payloads(source.id)).toEqual(["new"]);
    await trial.advance(1_000);
    expect(await trial.payloads(source.id)).toEqual(["new", "new"]);
    await trial.runtime.delete(source.id);
  });

  it("R079 an inactive source does not tick; activated again it waits one interval", async () => {
    const { source } = await trial.deploy(minute);
    await trial.runtime.update(source.id, { active: false });
    await trial.advance(300_000);
    expect(await trial.payloads(source.id)).toEqual([]);
    await trial.runtime.update(source.id, { active: true });
    await trial.advance(59_000);
    expect(await trial.payloads(source.id)).toEqual([]);
    await trial.advance(1_000);
    expect(await trial.payloads(source.id)).toHaveLength(1);
    await trial.runtime.delete(source.id);
    await trial.advance(60_000);
  });
});

describe("the system clock is set", () => {
  const hour = 3_600_000;

  it.each([-hour, hour])("R057 by %d ms: an interval goes on, with the new times", async (byMs) => {
    const clock = settableClock(startMs);
    const runtime = await createRuntime({ clock, engine: await testEngine() });
    await runtime.start();
    const set = trialOf(runtime, clock);
    const { source } = await set.deploy(minute);
    await set.advance(60_000);
    await set.advance(30_000);
    clock.set(byMs);
    await set.advance(29_000);
    expect(await set.payloads(source.id)).toHaveLength(1);
    await set.advance(1_000);
    await set.advance(60_000);
    const ticks = (await set.payloads(source.id)) as { timestamp: number }[];
    expect(ticks.map(({ timestamp }) => timestamp - seconds(startMs))).toEqual([
      60,
      120 + byMs / 1_000,
      180 + byMs / 1_000,
    ]);
    await runtime.close();
  });

  it("G38 a cron follows the clock within a minute, in both directions", async () => {
    const clock = settableClock(Date.parse("2026-11-20T10:29:00Z"));
    const runtime = await createRuntime({ clock, engine: await testEngine() });
    await runtime.start();
    const set = trialOf(runtime, clock);
    const { source } = await set.deploy(every(`{ cron: "30 * * * *" }`));
    await set.advance(60_000);
    clock.set(-hour);
    await set.advance(60_000);
    await set.advance(58 * 60_000);
    expect(await set.payloads(source.id)).toHaveLength(1);
    await set.advance(60_000);
    expect(await set.payloads(source.id)).toHaveLength(2);
    clock.set(2 * hour);
    await set.advance(60_000);
    const ticks = (await set.payloads(source.id)) as { timestamp: number }[];
    expect(ticks.map(({ timestamp }) => new Date(timestamp * 1_000).toISOString().slice(11, 16))).toEqual([
      "10:30",
      "10:30",
      "11:30",
    ]);
    await runtime.close();
  });

  it("G41 set back while no process ran: a timer that has ticked since continues from now", async () => {
    const data = makeFolder();
    const first = await openTrial({ data });
    const { source } = await first.deploy(minute);
    await first.advance(60_000);
    await first.runtime.close();

    const earlier = await openTrial({ data }, startMs - hour);
    await earlier.advance(0);
    await earlier.advance(60_000);
    expect((await earlier.payloads(source.id)).slice(1)).toEqual([
      { timestamp: seconds(startMs - hour) + 60, interval_seconds: 60 },
    ]);
    await earlier.runtime.close();
  });
});

describe("a restart", () => {
  it("G41 a tick missed while no process ran runs once, with its scheduled time; the grid continues", async () => {
    const data = makeFolder();
    const first = await createRuntime({ data, clock: manualClock(startMs), engine: await testEngine() });
    await first.start();
    const { source } = await first.deploy({ code: minute });
    await first.close();

    const late = await openTrial({ data }, startMs + 10 * 60_000 + 5_000);
    await late.advance(0);
    expect(await late.payloads(source.id)).toEqual([{ timestamp: seconds(startMs) + 60, interval_seconds: 60 }]);
    await late.advance(55_000);
    expect((await late.payloads(source.id)).slice(1)).toEqual([
      { timestamp: seconds(startMs) + 11 * 60, interval_seconds: 60 },
    ]);
    await late.runtime.close();
  });

  it("nothing fires before start()", async () => {
    const clock = manualClock(startMs);
    const runtime = await createRuntime({ clock, engine: await testEngine() });
    const { source } = await runtime.deploy({ code: minute });
    clock.jump(600_000);
    await runtime.idle();
    expect((await runtime.storedEvents(source.id, "emits", { limit: 10 })).totalCount).toBe(0);
    await runtime.start();
    clock.jump(0);
    await runtime.idle();
    expect((await runtime.storedEvents(source.id, "emits", { limit: 10 })).totalCount).toBe(1);
    await runtime.close();
  });
});
