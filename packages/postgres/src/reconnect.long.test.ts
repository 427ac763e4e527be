import { XError } from "@x/runtime";
import type { Store } from "@x/runtime/store";
import { afterAll, afterEach, describe, expect, test } from "vitest";

import { addEvent, exampleEvent } from "../../store/src/conformance/examples.cases.ts";
import { startCutProxy } from "./cut-proxy.cases.ts";
import { createNamespace } from "./namespace.ts";
import { openPostgres } from "./postgres.ts";
import { dropSchema, emptySchema, missingServer, newSchema, runSql, serverUrl } from "./server.cases.ts";

const reason = await missingServer();
const schema = newSchema();

/** The processes of the server for the store of the schema: of its lock, its commits and its reads. */
const backends = `SELECT DISTINCT a.pid FROM pg_stat_activity a WHERE a.application_name = $1`;

const named = (application: string): string => {
  const url = new URL(serverUrl);
  url.searchParams.set("application_name", application);
  return url.href;
};

/** Resolves when the server answers again. Rejects for any other problem than a lost connection. */
async function answered(store: Store, error: unknown): Promise<void> {
  if (!XError.is(error) || error.code !== "store_unavailable") throw error;
  await expect.poll(() => store.sealing().catch(() => "no answer")).not.toBe("no answer");
}

/** Commits events until each of them is acknowledged; repeats what was refused for a lost connection. */
async function emitAll(store: Store, emitterId: string, count: number, acknowledged: () => void): Promise<void> {
  for (let ms = 1; ms <= count;) {
    try {
      await store.commit([addEvent(exampleEvent(ms, 0, { emitterId }))]);
      acknowledged();
      ms += 1;
    } catch (error) {
      await answered(store, error);
    }
  }
}

async function countEvents(emitterId: string): Promise<number> {
  const [row] = await runSql(`SELECT count(*)::int AS n FROM "${schema}".event WHERE emitter_id = $1`, [emitterId]);
  return Number(row?.["n"]);
}

describe.skipIf(reason !== undefined)("a connection to PostgreSQL that is lost", () => {
  let opened: Store | undefined;
  const open = async (url: string): Promise<Store> => (opened = await openPostgres({ url, schema }));
  afterEach(async () => {
    await opened?.close();
    await emptySchema(schema);
  });
  afterAll(() => dropSchema(schema));

  test("connections that the server ends under load lose and double no commit", async () => {
    const store = await open(named(schema));
    const emitters = Array.from({ length: 16 }, (_, n) => `dc_${n}`);
    let [acknowledged, ended] = [0, 0];
    let ending: Promise<void> = Promise.resolve();
    const terminate = async (): Promise<number> =>
      (await runSql(`SELECT pg_terminate_backend(pid) FROM (${backends}) b`, [schema])).length;
    const end = async (): Promise<void> => {
      let count = 0;
      // Between two connections there is none to end.
      await expect.poll(async () => (count = await terminate())).toBeGreaterThan(0);
      ended += count;
    };
    const count = (): void => {
      acknowledged += 1;
      if (acknowledged % 100 === 0) ending = ending.then(end);
    };
    await Promise.all(emitters.map((emitterId) => emitAll(store, emitterId, 50, count)));
    await ending;
    expect(ended).toBeGreaterThanOrEqual(8);
    for (const emitterId of emitters) expect(await countEvents(emitterId)).toBe(50);
    expect((await store.events("dc_3", "emits", { limit: 1, retention: 100 })).totalCount).toBe(50);
  });

  test("a commit whose answer is lost is acknowledged after the next connection, and not repeated", async () => {
    const proxy = await startCutProxy({ host: "127.0.0.1", port: 5432 });
    const url = new URL(serverUrl);
    url.port = String(proxy.port);
    const store = await open(url.href);
    proxy.loseAnswers();
    const commits = [1, 2, 3].map((n) =>
      store.commit([
        addEvent(exampleEvent(n, 0, { emitterId: "dc_lost" })),
        { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 1 },
      ]),
    );
    await expect.poll(() => countEvents("dc_lost")).toBe(3);
    await expect
      .poll(() =>
        store
          .commit([])
          .then(() => store.db("dc_x"))
          .catch((error: unknown) => error),
      )
      .toMatchObject({
        code: "store_unavailable",
      });
    proxy.pass();
    await Promise.all(commits);
    expect(await countEvents("dc_lost")).toBe(3);
    expect(await store.usage("u_1", "2026-11-20")).toEqual({ invocations: 3, computeMs: 3 });
    await store.close();
    await proxy.close();
  });

  test("when another service has taken the schema meanwhile, the store fails for good", async () => {
    const store = await open(named(schema));
    const key = createNamespace(schema).lockKey("service");
    const taking = runSql(`SELECT pg_advisory_lock(${key}); UPDATE "${schema}".node SET dead = true`);
    await expect
      .poll(() => runSql("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
      .not.toEqual([]);
    await runSql(`SELECT pg_terminate_backend(pid) FROM (${backends}) b`, [schema]);
    await taking;
    expect(await store.failed).toMatchObject({ code: "store_failed" });
    await expect(store.commit([addEvent(exampleEvent(1, 0))])).rejects.toMatchObject({ code: "store_failed" });
    expect(await store.users()).toEqual([]);
  });
});
