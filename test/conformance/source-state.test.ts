import { expect, test } from "vitest";

import { component, type Data, type ErrorBody, type List, type SourceBody, startMs, startService } from "./fixture.ts";

type WithState = SourceBody & {
  readonly state?: {
    readonly next_tick_at_ms: number | null;
    readonly next_ticks_at_ms: readonly number[];
    readonly queue_depth: number;
    readonly failures_24h: number;
    readonly events_per_hour: readonly number[];
    readonly failures_per_hour: readonly number[];
    readonly last_execution: { readonly status: string; readonly trigger: string; readonly source_id: string } | null;
  };
};

const code = component({
  props: 'timer: "$.interface.timer"',
  run: 'if (event.fail) throw new Error("no"); this.$emit(1)',
});
const hour = 3_600_000;
const timer = { intervalSeconds: 30 * 86_400 };

test("expand=state adds the next tick, the queue, and the events and failures of the last day", async () => {
  await using service = await startService();
  const { id } = await service.deploy(code, { timer });
  await service.run(id);
  await service.advance(2 * hour);
  await service.run(id, { fail: true });
  await service.run(id);
  await service.run(id);
  const { body } = await service.call<Data<WithState>>("GET", `/sources/${id}?expand=state`);
  const quiet = Array.from({ length: 21 }, () => 0);
  expect(body.data.state).toEqual({
    next_tick_at_ms: startMs + timer.intervalSeconds * 1_000,
    next_ticks_at_ms: [1, 2, 3, 4, 5].map((count) => startMs + count * timer.intervalSeconds * 1_000),
    queue_depth: 0,
    endpoint_changed: false,
    failures_24h: 1,
    events_per_hour: [...quiet, 1, 0, 2],
    failures_per_hour: [...quiet, 0, 0, 1],
    last_execution: expect.objectContaining({ source_id: id, status: "ok", trigger: "manual" }),
  });
  await service.advance(24 * hour);
  const later = await service.call<List<WithState>>("GET", "/users/me/sources?expand=state&include=state");
  expect(later.body.data[0]?.state?.failures_24h).toBe(0);
  expect((await service.call<Data<WithState>>("GET", `/sources/${id}`)).body.data.state).toBeUndefined();
  expect((await service.call("GET", `/sources/${id}?expand=event`)).status).toBe(400);
});

test("a paused source has no next tick", async () => {
  await using service = await startService();
  const { id } = await service.deploy(code, { timer });
  await service.call("PATCH", `/sources/${id}`, { active: false });
  const { body } = await service.call<Data<WithState>>("GET", `/sources/${id}?expand=state`);
  expect(body.data.state?.next_tick_at_ms).toBeNull();
});

test("ids lists these sources alone, without those that do not exist or are of others", async () => {
  await using service = await startService();
  const [one, two] = [await service.deploy(code), await service.deploy(code)];
  const other = await service.runtime.addUser({ username: "other" });
  const { source } = await service.runtime.as(other.id).deploy({ code });
  const list = (ids: string) => service.call<List<SourceBody> & ErrorBody>("GET", `/users/me/sources?ids=${ids}`);
  const { body } = await list(`${two.id},dc_none,${source.id},${one.id},${two.id}`);
  expect(body.data.map(({ id }) => id)).toEqual([two.id, one.id]);
  expect(body.page_info.total_count).toBe(2);
  expect((await list("a%20b")).status).toBe(400);
});
