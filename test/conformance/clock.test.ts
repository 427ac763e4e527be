import { manualClock } from "@x/runtime";
import { expect, test } from "vitest";

import { component, type Data, startMs, startService } from "./fixture.ts";

const timed = component({ props: 'timer: "$.interface.timer"', run: "this.$emit(event.timestamp)" });

test("a manual clock moves by request, and the answer comes when what became due has run", async () => {
  const clock = manualClock(startMs);
  await using service = await startService({ clock }, { app: { clock } });
  const { id } = await service.deploy(timed, { timer: { intervalSeconds: 60 } });
  const advance = (ms: unknown): ReturnType<typeof service.call<Data<{ now_ms: number }>>> =>
    service.call("POST", "/clock/advance", { ms });
  const moved = await advance(60_000);
  expect([moved.status, moved.body]).toEqual([200, { data: { now_ms: startMs + 60_000 } }]);
  expect(await service.emitted(id)).toHaveLength(1);
  await advance(59_999);
  expect(await service.emitted(id)).toHaveLength(1);
  expect((await advance(1)).body.data.now_ms).toBe(startMs + 120_000);
  const [first = 0, second = 0] = (await service.emitted(id)) as number[];
  expect(second - first).toBe(60);
  expect((await advance(0)).status).toBe(200);
  for (const bad of [-1, 1.5, "60000", null, 1e15, undefined])
    expect((await advance(bad)).status, String(bad)).toBe(400);
  expect(clock.now()).toBe(startMs + 120_000);
  expect((await service.call("GET", "/clock/advance")).status).toBe(405);
});

test("without a manual clock there is no such path, with or without a key", async () => {
  await using service = await startService();
  const reply = await service.call("POST", "/clock/advance", { ms: 1 });
  expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  expect((await service.call("POST", "/clock/advance", { ms: 1 }, { authorization: "" })).status).toBe(404);
});
