import { beforeEach, describe, expect, test } from "vitest";

import { storeConformance } from "../conformance/conformance.cases.ts";
import type { Change, Store } from "../contract.ts";
import {
  addEvent,
  exampleAccount,
  exampleApp,
  exampleEvent,
  exampleSource,
  exampleTransition,
  exampleUser,
  exampleWebhook,
  putSource,
} from "../conformance/examples.cases.ts";
import { createMemoryStore } from "../memory/memory.ts";
import { createSeal } from "./seal.ts";
import { createSealingStore } from "./sealing-store.ts";

const seal = createSeal(Buffer.alloc(32, 1), Buffer.alloc(16, 2));

storeConformance("sealing memory", async () => {
  const store = createSealingStore(createMemoryStore(), seal);
  return { store, dispose: () => store.close() };
});

test("props of a source are decrypted once, and once more after a change and after the deletion", async () => {
  let opened = 0;
  const counting = {
    ...seal,
    open(...given: Parameters<typeof seal.open>) {
      opened += 1;
      return seal.open(...given);
    },
  };
  const inner = createMemoryStore();
  const store = createSealingStore(inner, counting);
  const [first, second] = ["a", "b"].map((token) => exampleSource("dc_1", { configuredProps: { token } }));
  const openings: number[] = [];
  const read = async (): Promise<void> => {
    expect((await store.source("dc_1"))?.configuredProps).toBeDefined();
    openings.push(opened);
  };
  for (const source of [first, second]) {
    if (source) await store.commit([putSource(source)]);
    await read();
    await read();
  }
  const sealed = await inner.source("dc_1");
  await store.commit([{ op: "source.delete", id: "dc_1" }]);
  if (sealed) await inner.commit([putSource(sealed)]);
  await read();
  expect(openings).toEqual([1, 1, 2, 2, 3]);
});

describe("sealing store", () => {
  let engine: Store;
  let store: Store;
  beforeEach(() => {
    engine = createMemoryStore();
    store = createSealingStore(engine, seal);
  });

  const source = exampleSource("dc_1", {
    configuredProps: { token: "secret-of-prop" },
    endpoints: { http: "endpoint-key" },
  });
  const webhook = exampleWebhook("wh_1", { signingKey: "whsec_new", previousKeys: [{ key: "whsec_old", until: 5 }] });
  const records: Change[] = [
    { op: "user.put", user: exampleUser("u_1") },
    putSource(source),
    { op: "webhook.put", webhook },
    { op: "account.put", account: exampleAccount("apn_1") },
    { op: "app.put", app: exampleApp("acme") },
    { op: "transition.put", transition: exampleTransition("dc_1", { source }) },
  ];

  test("G33 the inner store holds no secret of any record, and the sealing store returns all of them", async () => {
    await store.commit(records);
    const below = JSON.stringify([
      await engine.users(),
      await engine.source("dc_1"),
      await engine.webhook("wh_1"),
      await engine.account("apn_1"),
      await engine.apps("u_1"),
      await engine.transitions(),
    ]);
    expect(below).not.toMatch(/key-of-u_1|secret-of-prop|whsec_|credentials-of|client-secret/);
    // What is not secret stays as it is.
    expect(await engine.source("dc_1")).toMatchObject({ ...source, configuredProps: {} });
    expect(await engine.webhook("wh_1")).toMatchObject({ url: webhook.url, previousKeys: [] });
    expect(await store.transitions()).toEqual([exampleTransition("dc_1", { source })]);
    expect(await store.users()).toEqual([exampleUser("u_1")]);
    expect(await store.user("u_1")).toEqual(exampleUser("u_1"));
    expect(await store.source("dc_1")).toEqual(source);
    expect(await store.sourceByEndpoint("endpoint-key")).toEqual(source);
    expect((await store.sources("u_1", { limit: 10 })).items).toEqual([source]);
    expect(await store.webhook("wh_1")).toEqual(webhook);
    expect(await store.allWebhooks()).toEqual([webhook]);
    expect((await store.webhooks("u_1", { limit: 10 })).items).toEqual([webhook]);
    expect(await store.account("apn_1")).toEqual(exampleAccount("apn_1"));
    expect((await store.accounts("u_1", { limit: 10 })).items).toEqual([exampleAccount("apn_1")]);
    expect(await store.app("u_1", "acme")).toEqual(exampleApp("acme"));
    expect(await store.apps("u_1")).toEqual([exampleApp("acme")]);
  });

  test("a commit without secrets reaches the inner store unchanged, and reads of missing records return undefined", async () => {
    const seen: (readonly Change[])[] = [];
    const watched = createSealingStore({ ...engine, commit: async (changes) => void seen.push(changes) }, seal);
    const changes = [addEvent(exampleEvent(1, 0)), { op: "source.delete", id: "dc_1" } as const];
    await watched.commit(changes);
    expect(seen[0]).toBe(changes);
    expect([await store.user("u_x"), await store.source("dc_x"), await store.account("apn_x")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("G33 secrets that were moved to another record, kind or user are damaged", async () => {
    await store.commit([
      ...records,
      { op: "user.put", user: exampleUser("u_2") },
      putSource(exampleSource("dc_2")),
      { op: "webhook.put", webhook: exampleWebhook("wh_2") },
      { op: "account.put", account: exampleAccount("apn_2", { userId: "u_2" }) },
    ]);
    // What was opened once is not opened for others.
    expect(await store.source("dc_1")).toEqual(source);
    const [user, from, hook, account] = [
      await engine.user("u_1"),
      await engine.source("dc_1"),
      await engine.webhook("wh_1"),
      await engine.account("apn_1"),
    ];
    if (!user || !from || !hook || !account) throw new Error("a record is missing");
    const sealed = account.auth as { [field: string]: string };
    await engine.commit([
      { op: "user.put", user: { ...user, id: "u_2" } },
      putSource({ ...from, id: "dc_2", endpoints: {} }),
      { op: "webhook.put", webhook: { ...hook, id: "wh_2" } },
      { op: "account.put", account: { ...account, id: "apn_2" } },
      // The same account, in the hands of another user; credentials in the props of a source.
      { op: "account.put", account: { ...account, userId: "u_2" } },
      putSource(exampleSource("dc_3", { configuredProps: sealed })),
    ]);
    const damaged = (what: string, id: string): object => ({
      code: "secret_damaged",
      message: expect.stringContaining(`${what} "${id}"`) as string,
    });
    await expect(store.user("u_2")).rejects.toMatchObject(damaged("user", "u_2"));
    await expect(store.source("dc_2")).rejects.toMatchObject(damaged("source", "dc_2"));
    await expect(store.webhook("wh_2")).rejects.toMatchObject(damaged("webhook", "wh_2"));
    await expect(store.account("apn_2")).rejects.toMatchObject(damaged("account", "apn_2"));
    await expect(store.account("apn_1")).rejects.toMatchObject(damaged("account", "apn_1"));
    await expect(store.source("dc_3")).rejects.toMatchObject(damaged("source", "dc_3"));
    expect(await store.user("u_1")).toEqual(exampleUser("u_1"));
  });

  test("G33 a record that was copied over another is damaged, although its own secrets are valid", async () => {
    await store.commit([
      ...records,
      { op: "account.put", account: exampleAccount("apn_2") },
      putSource(exampleSource("dc_2")),
    ]);
    const swapped = createSealingStore(
      { ...engine, account: () => engine.account("apn_2"), source: () => engine.source("dc_2") },
      seal,
    );
    const moved = createSealingStore({ ...engine, app: () => engine.app("u_1", "acme") }, seal);
    await expect(moved.app("u_1", "other")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(moved.app("u_2", "acme")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(swapped.account("apn_1")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(swapped.source("dc_1")).rejects.toMatchObject({ code: "secret_damaged" });
    expect((await swapped.account("apn_2"))?.id).toBe("apn_2");
  });

  test("G33 plain secrets in the store are refused", async () => {
    await engine.commit(records);
    await expect(store.user("u_1")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(store.source("dc_1")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(store.webhook("wh_1")).rejects.toMatchObject({ code: "secret_damaged" });
    await expect(store.account("apn_1")).rejects.toMatchObject({ code: "secret_damaged" });
  });
});
