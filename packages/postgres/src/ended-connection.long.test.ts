import { XError } from "@x/runtime";
import type { Store } from "@x/runtime/store";
import { Pool } from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { type Uncaught, watchUncaught } from "../../model/src/process/uncaught.cases.ts";
import { addEvent, exampleEvent } from "../../store/src/conformance/examples.cases.ts";
import { type EndingProxy, startEndingProxy } from "./ending-proxy.cases.ts";
import { inspectPostgres } from "./inspect.ts";
import { openPostgres, type PostgresOptions } from "./postgres.ts";
import { openPostgresRows } from "./row-source.ts";
import { openPostgresTarget } from "./row-target.ts";
import { dropSchema, emptySchema, missingServer, newSchema, runSql, serverUrl } from "./server.cases.ts";

const reason = await missingServer();
const schema = newSchema();
/** Names the connections of this file to the server. */
const application = schema;

const through = ({ port }: EndingProxy): string => {
  const url = new URL(serverUrl);
  url.port = String(port);
  url.searchParams.set("application_name", application);
  return url.href;
};

const codeOf = (error: unknown): unknown => (XError.is(error) ? error.code : error);

type Reach = (proxy: EndingProxy) => PostgresOptions;

const oneUrl: Reach = (proxy) => ({ url: through(proxy), schema });
const directUrl: Reach = (proxy) => ({ url: serverUrl, directUrl: through(proxy), schema });
const readsUrl: Reach = (proxy) => ({ url: through(proxy), directUrl: serverUrl, schema });
const poolThrough = (proxy: EndingProxy): Pool => {
  const pool = new Pool({ connectionString: through(proxy), max: 6 });
  onTestFinished(() => pool.end());
  return pool;
};
const givenPool: Reach = (proxy) => ({ pool: poolThrough(proxy), schema });

/** The connections of a session: which pool has them, and how many it opens before. */
const sessionConnections: readonly (readonly [string, Reach, number])[] = [
  ["the lock's", oneUrl, 0],
  ["the writer's", oneUrl, 1],
  ["the lock's in the direct pool", directUrl, 0],
  ["the writer's in the direct pool", directUrl, 1],
  ["the lock's in a given pool", givenPool, 0],
  ["the writer's in a given pool", givenPool, 1],
];

describe.skipIf(reason !== undefined)("a connection that the server ends in the packet that says it is ready", () => {
  let uncaught: Uncaught;
  let proxy: EndingProxy;
  let store: Store | undefined;
  beforeEach(async () => {
    proxy = await startEndingProxy({ host: "127.0.0.1", port: 5432 });
    uncaught = watchUncaught();
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    await proxy.close();
    await emptySchema(schema);
    const [first] = await uncaught.found();
    uncaught[Symbol.dispose]();
    if (first !== undefined) throw new Error("the process would have ended", { cause: first });
  });
  afterAll(() => dropSchema(schema));

  test.each(sessionConnections)("is a start that fails, when it is %s", async (_, reach, skipped) => {
    const options = reach(proxy);
    proxy.endOne("ready", skipped);
    await expect(openPostgres(options)).rejects.toMatchObject({ code: "store_unavailable" });
    expect(proxy.hasEnded()).toBe(true);
    store = await openPostgres(options);
    await store.commit([addEvent(exampleEvent(1, 0))]);
  });

  test.each(sessionConnections)("is an attempt to connect again, when it is %s", async (_, reach, skipped) => {
    const opened = (store = await openPostgres(reach(proxy)));
    proxy.endOne("ready", skipped);
    await runSql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [application]);
    await expect.poll(() => proxy.hasEnded()).toBe(true);
    await expect.poll(() => opened.commit([addEvent(exampleEvent(1, 0))]).catch(codeOf)).toBeUndefined();
  });

  test.each([
    ["a reader's", oneUrl],
    ["a reader's beside a direct pool", readsUrl],
    ["a reader's in a given pool", givenPool],
  ] as const)("is another attempt to read, when it is %s", async (_, reach) => {
    store = await openPostgres(reach(proxy));
    proxy.endOne("ready", 0);
    expect(await store.users()).toEqual([]);
    expect(proxy.hasEnded()).toBe(true);
  });

  const shortUses: readonly (readonly [string, (options: PostgresOptions) => Promise<unknown>])[] = [
    ["inspects a schema", inspectPostgres],
    ["exports a schema", openPostgresRows],
    ["imports into a schema", openPostgresTarget],
  ];

  test.each(shortUses)("is a refusal, when it %s", async (_, use) => {
    await (await openPostgres({ url: serverUrl, schema })).close();
    proxy.endOne("ready", 0);
    await expect(use(oneUrl(proxy))).rejects.toMatchObject({ code: "store_unavailable" });
    expect(proxy.hasEnded()).toBe(true);
  });

  test("is nothing while it takes leave", async () => {
    await (await openPostgres({ url: serverUrl, schema })).close();
    const pool = poolThrough(proxy);
    const removed = new Promise((resolve) => pool.once("remove", resolve));
    proxy.endOne("leaving", 0);
    expect(await inspectPostgres({ pool, schema })).toMatchObject({ isInUse: false });
    await removed;
    expect(proxy.hasEnded()).toBe(true);
  });
});
