import { manualClock } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type Service, type SourceBody, startMs, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const timed = (timer: string, run = "this.$emit(event)"): string =>
  component({ name: "Timed", props: `timer: ${timer}, db: "$.service.db"`, run });
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Deploys, advances the time, and resolves with the emitted events; deletes the source. */
async function during(code: string, props: object, ms: number): Promise<readonly unknown[]> {
  const source = await service.deploy(code, props);
  await service.advance(ms);
  const emitted = await service.emitted(source.id);
  await service.call("DELETE", `/sources/${source.id}`);
  return emitted;
}

test("R055 a timer without anything set ticks once an hour", async () => {
  const start = service.clock.now();
  const source = await service.deploy(timed('"$.interface.timer"'));
  expect(source.configured_props["timer"]).toEqual({ cron: null, interval_seconds: 3600 });
  await service.advance(3_599_999);
  expect(await service.emitted(source.id)).toEqual([]);
  await service.advance(1);
  expect(await service.emitted(source.id)).toEqual([{ timestamp: seconds(start + 3_600_000), interval_seconds: 3600 }]);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("R055 the configured value overrides the default of the prop", async () => {
  const code = timed('{ type: "$.interface.timer", default: { intervalSeconds: 900 } }');
  expect(await during(code, {}, 900_000)).toHaveLength(1);
  expect(await during(code, { timer: { intervalSeconds: 60 } }, 60_000)).toHaveLength(1);
});

test("R055 a default may be a cron expression", async () => {
  const code = timed('{ type: "$.interface.timer", default: { cron: "*/5 * * * *" } }');
  const emitted = await during(code, {}, 300_000);
  expect(emitted).toHaveLength(1);
});

test("R056 this.timer is the interface", async () => {
  const code = timed('"$.interface.timer"', "this.$emit(this.timer)");
  const [shown] = await during(code, { timer: { intervalSeconds: 60 } }, 60_000);
  expect(shown).toMatchObject({ type: "$.interface.timer", intervalSeconds: 60 });
});

test("R057 an event of a timer has integer timestamp, the scheduled second, and interval_seconds", async () => {
  const start = service.clock.now();
  const emitted = await during(timed('"$.interface.timer"'), { timer: { intervalSeconds: 60 } }, 60_000);
  expect(emitted).toEqual([{ timestamp: seconds(start + 60_000), interval_seconds: 60 }]);
});

test("G42 the event of a cron timer also has its expression, and its zone when one is set", async () => {
  const eventOf = async (timer: object): Promise<object> => {
    const [event] = await during(timed('"$.interface.timer"'), { timer }, 86_400_000);
    return event as object;
  };
  expect(Object.keys(await eventOf({ intervalSeconds: 86_400 }))).toEqual(["timestamp", "interval_seconds"]);
  expect(await eventOf({ cron: "30 12 * * *" })).toMatchObject({ cron: "30 12 * * *", interval_seconds: 86_400 });
  expect(await eventOf({ cron: "30 12 * * *", timezone: "Asia/Tokyo" })).toMatchObject({
    cron: "30 12 * * *",
    timezone: "Asia/Tokyo",
    timestamp: expect.toSatisfy((at: number) => at > 1e9 && at < 1e10) as number,
  });
});

test("S3 the event of a cron timer has the seconds since the previous tick, and the expression", async () => {
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { cron: "0 * * * *" } });
  expect(source.configured_props["timer"]).toEqual({ cron: "0 * * * *", interval_seconds: 0 });
  const hour = Math.ceil((service.clock.now() + 1) / 3_600_000) * 3_600_000;
  await service.advance(hour - service.clock.now());
  await service.advance(3_600_000);
  const second = (await service.emitted(source.id))[1];
  expect(second).toMatchObject({ timestamp: hour / 1000 + 3600, interval_seconds: 3600, cron: "0 * * * *" });
  await service.call("DELETE", `/sources/${source.id}`);
});

test("S30 the first tick of a cron timer and a manual run have the seconds since the previous scheduled tick", async () => {
  const monday = Date.parse("2026-11-23T06:00:00Z");
  await using fresh = await startService({ clock: manualClock(monday) });
  const { id } = await fresh.deploy(timed('"$.interface.timer"'), { timer: { cron: "0 9 * * 1-5" } });
  await fresh.run(id);
  await fresh.advance(3 * 3_600_000);
  await fresh.advance(60_000);
  await fresh.run(id);
  const [before, first, after] = (await fresh.emitted(id)) as { timestamp: number; interval_seconds: number }[];
  // The previous tick was on Friday at nine.
  expect(before).toMatchObject({ timestamp: seconds(monday), interval_seconds: (2 * 24 + 21) * 3600 });
  expect(first).toMatchObject({ timestamp: seconds(monday) + 3 * 3600, interval_seconds: 3 * 86_400 });
  expect(after).toMatchObject({ timestamp: seconds(monday) + 3 * 3600 + 60, interval_seconds: 60 });
});

test("S44 listed times run once on the days on which clocks change, and a rhythm goes on", async () => {
  const berlin = async (from: string, cron: string): Promise<readonly string[]> => {
    await using fresh = await startService({ clock: manualClock(Date.parse(from)) });
    const { id } = await fresh.deploy(timed('"$.interface.timer"'), { timer: { cron, timezone: "Europe/Berlin" } });
    // Ticks that become due together would be one.
    for (let quarters = 0; quarters < 60; quarters++) await fresh.advance(900_000);
    const events = (await fresh.emitted(id)) as { timestamp: number }[];
    return events.map(({ timestamp }) => new Date(timestamp * 1_000).toISOString().slice(11, 16));
  };
  const [forward, back] = ["2027-03-27T22:30:00Z", "2027-10-30T22:30:00Z"];
  expect(await berlin(forward, "0,30 2 * * *")).toEqual(["01:00"]);
  expect(await berlin(forward, "0 2,14 * * *")).toEqual(["01:00", "12:00"]);
  expect(await berlin(forward, "0 */6 * * *")).toEqual(["23:00", "04:00", "10:00"]);
  expect(await berlin(back, "0,30 2 * * *")).toEqual(["00:00", "00:30"]);
  expect(await berlin(back, "*/30 2 * * *")).toEqual(["00:00", "00:30", "01:00", "01:30"]);
});

test("S45 day of month and day of week must both match, and a warning gives the next three ticks", async () => {
  await using fresh = await startService({ clock: manualClock(Date.parse("2026-11-20T00:00:00Z")) });
  const both = { cron: "0 9 13 * 5", timezone: "Europe/Berlin" };
  const warning = {
    rule: "cron-day-and-weekday",
    path: "/props/timer/default/cron",
    message: expect.stringContaining("next 2027-08-13 09:00, 2028-10-13 09:00, 2029-04-13 09:00 (Europe/Berlin)"),
  };
  interface Warned {
    readonly id: string;
    readonly warnings?: readonly object[];
  }
  const source = (await fresh.deploy(timed('"$.interface.timer"'), { timer: both })) as SourceBody & Warned;
  expect(source.warnings).toEqual([warning]);
  const logs = await fresh.call<{ data: object[] }>("GET", `/sources/${source.id}/logs`);
  expect(logs.body.data).toMatchObject([{ k: "console.warn", msg: expect.stringContaining("cron-day-and-weekday") }]);

  const path = `/sources/${source.id}`;
  const daily = await fresh.call<Data<Warned>>("PUT", path, {
    component_id: source.component_id,
    configured_props: { timer: { cron: "0 9 * * *" } },
  });
  expect(daily.body.data).not.toHaveProperty("warnings");
  const again = await fresh.call<Data<Warned>>("PUT", path, {
    component_id: source.component_id,
    configured_props: { timer: both },
  });
  expect(again.body.data.warnings).toEqual([warning]);

  const code = timed(`{ type: "$.interface.timer", default: ${JSON.stringify(both)} }`);
  const component = await fresh.call<Data<Warned>>("POST", "/components", { component_code: code });
  expect(component.body.data.warnings).toEqual([warning]);

  const listed = await fresh.call<{ data: { state: object }[] }>("GET", "/users/me/sources?expand=state");
  const days = ["2027-08-13", "2028-10-13", "2029-04-13", "2029-07-13", "2030-09-13"];
  const ticks = days.map((day) => Date.parse(`${day}T07:00Z`));
  expect(listed.body.data[0]?.state).toMatchObject({ next_tick_at_ms: ticks[0], next_ticks_at_ms: ticks });
});

test("G38 cron is read in UTC unless a zone is given", async () => {
  const utc = await service.deploy(timed('"$.interface.timer"'), { timer: { cron: "30 12 * * *" } });
  const zoned = await service.deploy(timed('"$.interface.timer"'), {
    timer: { cron: "30 12 * * *", timezone: "Asia/Tokyo" },
  });
  await service.advance(86_400_000);
  const at = async (id: string): Promise<string> => {
    const [event] = (await service.emitted(id)) as { timestamp: number }[];
    return new Date((event?.timestamp ?? 0) * 1000).toISOString().slice(11, 16);
  };
  expect([await at(utc.id), await at(zoned.id)]).toEqual(["12:30", "03:30"]);
  for (const { id } of [utc, zoned]) await service.call("DELETE", `/sources/${id}`);
});

test("G39 deploying does not fire the timer, and an unchanged schedule keeps its countdown over an update", async () => {
  const code = timed('"$.interface.timer"');
  const source = await service.deploy(code, { timer: { intervalSeconds: 100 } });
  expect(await service.emitted(source.id)).toEqual([]);
  await service.advance(70_000);
  await service.call("PUT", `/sources/${source.id}`, { component_id: source.component_id });
  await service.advance(30_000);
  expect(await service.emitted(source.id)).toHaveLength(1);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("G39 a changed schedule counts from the update", async () => {
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { intervalSeconds: 100 } });
  await service.advance(70_000);
  const body = { configured_props: { timer: { intervalSeconds: 50 } } };
  const reply = await service.call<Data<SourceBody>>("PATCH", `/sources/${source.id}`, body);
  expect(reply.body.data.configured_props["timer"]).toEqual({ cron: null, interval_seconds: 50 });
  await service.advance(49_999);
  expect(await service.emitted(source.id)).toEqual([]);
  await service.advance(1);
  expect(await service.emitted(source.id)).toHaveLength(1);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("G40 ticks that become due while one waits are merged into one", async () => {
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { intervalSeconds: 10 } });
  service.clock.jump(1_000_000);
  await service.runtime.idle();
  const { length } = await service.emitted(source.id);
  expect(length).toBeGreaterThanOrEqual(1);
  expect(length).toBeLessThanOrEqual(2);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("R057 ticks do not drift", async () => {
  const start = service.clock.now();
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { intervalSeconds: 60 } });
  for (const ms of [60_700, 59_600, 60_100, 59_600]) await service.advance(ms);
  const stamps = ((await service.emitted(source.id)) as { timestamp: number }[]).map((event) => event.timestamp);
  expect(stamps).toEqual([1, 2, 3, 4].map((tick) => seconds(start + tick * 60_000)));
  await service.call("DELETE", `/sources/${source.id}`);
});

test("G26 a manual run of a source with a timer gets a complete timer event", async () => {
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { intervalSeconds: 60 } });
  await service.run(source.id);
  const [event] = (await service.emitted(source.id)) as { timestamp: number; interval_seconds: number }[];
  expect(event).toMatchObject({ interval_seconds: 60, timestamp: expect.any(Number) as number });
  expect(Number.isInteger(event?.timestamp)).toBe(true);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("R055 impossible schedules are 400, also those that would break a parser", async () => {
  const code = timed('"$.interface.timer"');
  const bad = [
    { intervalSeconds: 0 },
    { intervalSeconds: -1 },
    { intervalSeconds: 1.5 },
    { intervalSeconds: "60" },
    { cron: "not cron" },
    { cron: "61 * * * *" },
    { cron: "0-1000000000 * * * *" },
    { cron: "0 9 * * *", timezone: "Mars/Olympus" },
    { every: 5 },
    "0 9 * * *",
    60,
  ];
  for (const timer of bad) {
    const reply = await service.call("POST", "/sources", { component_code: code, configured_props: { timer } });
    expect([reply.status, reply.body.code], JSON.stringify(timer)).toEqual([400, "invalid_props"]);
  }
});

test("R078 a deleted source has no more ticks", async () => {
  const source = await service.deploy(timed('"$.interface.timer"'), { timer: { intervalSeconds: 60 } });
  await service.call("DELETE", `/sources/${source.id}`);
  const before = await service.call<Data<{ daily_invocations_used: number }>>("GET", "/users/me");
  await service.advance(120_000);
  const after = await service.call<Data<{ daily_invocations_used: number }>>("GET", "/users/me");
  expect(service.clock.now()).toBeGreaterThan(startMs);
  expect(after.body.data.daily_invocations_used).toBe(before.body.data.daily_invocations_used);
});
