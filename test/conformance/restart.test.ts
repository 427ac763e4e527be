import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRuntime, manualClock } from "@x/runtime";

import {
  apiKey,
  component,
  type Data,
  type EventBody,
  type Service,
  type SourceBody,
  startMs,
  startService,
} from "./fixture.ts";

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "x-restart-"));
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function during<T>(
  act: (service: Service) => Promise<T>,
  options: Parameters<typeof startService>[0] = {},
): Promise<T> {
  const service = await startService({ data, ...options });
  try {
    return await act(service);
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

describe("after a restart", () => {
  const run = `const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit(n, { id: event.id })`;
  const code = component({ props: 'db: "$.service.db", http: "$.interface.http"', more: 'dedupe: "unique",', run });
  let before: { readonly source: SourceBody; readonly events: readonly EventBody[] };
  let service: Service;
  beforeAll(async () => {
    before = await during(async (first) => {
      const source = await first.deploy(code, {}, { name: "Kept" });
      await first.run(source.id, { id: "a" });
      return { source, events: await first.events(source.id) };
    });
    service = await startService({ data });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test("4.1 sources, their endpoints and their events survive a restart", async () => {
    const { source, events } = before;
    const read = await service.call<Data<object>>("GET", `/sources/${source.id}`);
    expect(read.body.data).toMatchObject({ id: source.id, name: "Kept", configured_props: source.configured_props });
    expect(await service.events(source.id)).toEqual(events);
    expect((await service.hit(source)).status).toBe(200);
    await service.runtime.idle();
  });

  test("R125 cached ids survive a restart", async () => {
    const { deduped } = await service.run(before.source.id, { id: "a" });
    expect(deduped).toBe(1);
  });

  test("R065 the db keeps its values", async () => {
    const entry = (): ReturnType<typeof service.call<Data<{ value: number }>>> =>
      service.call("GET", `/sources/${before.source.id}/db/n`);
    const { value } = (await entry()).body.data;
    expect(value).toBeGreaterThan(0);
    await service.run(before.source.id, { id: "b" });
    expect((await entry()).body.data.value).toBe(value + 1);
    expect((await service.emitted(before.source.id)).at(-1)).toBe(value + 1);
  });

  test("R017 ids of events increase over a restart, also while the clock stands still", async () => {
    const { id } = before.source;
    const execution = await service.run(id, { id: "c" });
    const ids = (await service.events(id)).map((row) => row.id);
    expect(ids.at(-1)).toBe(execution.emitted[0]?.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe(before.events[0]?.id);
  });
});

test("R115 the key of the first start is the key after a restart without one", async () => {
  await during(async (service) => {
    expect((await service.call("GET", "/users/me")).status).toBe(200);
  });
  await using runtime = await createRuntime({ data });
  expect(await runtime.authenticate(apiKey)).toMatchObject({ id: expect.stringMatching(/^u_/) as string });
});

test("G41 ticks missed while the service was down are replaced by one catch-up tick with its scheduled time", async () => {
  const code = component({ props: 'timer: "$.interface.timer"', run: "this.$emit(event)" });
  const id = await during(async (service) => {
    const source = await service.deploy(code, { timer: { intervalSeconds: 60 } });
    return source.id;
  });
  const clock = manualClock(startMs + 1_000_000);
  await during(
    async (service) => {
      // A manual clock fires nothing by itself, not even what is overdue.
      await service.advance(0);
      const emitted = (await service.emitted(id)) as { timestamp: number }[];
      expect(emitted).toHaveLength(1);
      expect(emitted[0]?.timestamp).toBeGreaterThan(Math.floor(startMs / 1000));
      expect(emitted[0]?.timestamp).toBeLessThanOrEqual(Math.floor(clock.now() / 1000));
    },
    { clock },
  );
});

test("S1 an acknowledged request runs, even when the service stops before its run", async () => {
  const code = component({ props: 'http: "$.interface.http"', run: "this.$emit(event.query.n)" });
  const source = await during(async (service) => {
    const made = await service.deploy(code);
    for (const n of ["1", "2", "3"]) expect((await service.hit(made, `?n=${n}`)).status).toBe(200);
    return made;
  });
  await during(async (service) => {
    await service.runtime.idle();
    expect(await service.emitted(source.id)).toEqual(["1", "2", "3"]);
  });
});

test("R115 a data folder in use is not opened twice", async () => {
  await during(async () => {
    const second = async (): Promise<void> => {
      const runtime = await createRuntime({ data });
      await runtime.close();
    };
    await expect(second()).rejects.toMatchObject({ code: "store_locked" });
  });
});
