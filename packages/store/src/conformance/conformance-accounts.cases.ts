import { expect, test } from "vitest";

import type { Account } from "../../../model/src/model.ts";
import type { GetStore } from "./given-store.cases.ts";
import type { Change, Sealing } from "../contract.ts";
import { exampleAccount, exampleApp, exampleUser } from "./examples.cases.ts";

const put = (account: Account): Change => ({ op: "account.put", account });
const remove = (id: string): Change => ({ op: "account.delete", id });

/** Connected accounts, and how secrets are kept. */
export function describeAccounts(get: GetStore): void {
  const ids = async (page: { limit: number; after?: string; before?: string }, app?: string): Promise<string[]> =>
    (await get().accounts("u_1", page, app)).items.map(({ id }) => id);

  test("an account is stored, replaced and deleted", async () => {
    const store = get();
    await store.commit([put(exampleAccount("apn_1"))]);
    expect(await store.account("apn_1")).toEqual(exampleAccount("apn_1"));
    const changed = exampleAccount("apn_1", { name: null, auth: {}, updatedAt: 2_000 });
    await store.commit([put(changed)]);
    expect(await store.account("apn_1")).toEqual(changed);
    await store.commit([remove("apn_1")]);
    expect(await store.account("apn_1")).toBeUndefined();
    expect(await store.accounts("u_1", { limit: 10 })).toEqual({ totalCount: 0, items: [] });
  });

  test("accounts are listed newest first, by user and app, and a change keeps the position", async () => {
    const store = get();
    await store.commit([
      put(exampleAccount("apn_b")),
      put(exampleAccount("apn_a", { app: "other" })),
      put(exampleAccount("apn_c")),
      put(exampleAccount("apn_x", { userId: "u_2" })),
    ]);
    await store.commit([put(exampleAccount("apn_b", { name: "Changed" }))]);
    expect(await ids({ limit: 10 })).toEqual(["apn_c", "apn_a", "apn_b"]);
    expect(await ids({ limit: 10 }, "acme")).toEqual(["apn_c", "apn_b"]);
    expect((await store.accounts("u_1", { limit: 1 }, "acme")).totalCount).toBe(2);
    expect(await ids({ limit: 10 }, "none")).toEqual([]);
  });

  test("an app is stored, replaced and deleted, one for each user and slug, and listed by slug", async () => {
    const store = get();
    await store.commit([
      { op: "app.put", app: exampleApp("b") },
      { op: "app.put", app: exampleApp("a") },
      { op: "app.put", app: exampleApp("a", { userId: "u_2" }) },
    ]);
    const changed = exampleApp("a", { clientSecret: "", fields: [{ name: "key" }], updatedAt: 2_000 });
    await store.commit([{ op: "app.put", app: changed }]);
    expect(await store.app("u_1", "a")).toEqual(changed);
    expect(await store.apps("u_1")).toEqual([changed, exampleApp("b")]);
    expect(await store.app("u_2", "b")).toBeUndefined();
    await store.commit([{ op: "app.delete", userId: "u_1", slug: "a" }]);
    expect(await store.app("u_1", "a")).toBeUndefined();
    expect(await store.apps("u_2")).toEqual([exampleApp("a", { userId: "u_2" })]);
  });

  test("what is known of an account's tokens is stored with it", async () => {
    const store = get();
    const failure = { at: 1_500, code: "invalid_grant", message: "gone", final: true };
    const oauth = { grant: "authorization_code", scopes: ["a"], obtainedAt: 1_000, expiresAt: null, failure } as const;
    await store.commit([put(exampleAccount("apn_1", { oauth }))]);
    expect(await store.account("apn_1")).toEqual(exampleAccount("apn_1", { oauth }));
  });

  test("G09 cursors of accounts, also of deleted ones, limit the page", async () => {
    const store = get();
    for (const n of [1, 2, 3, 4]) await store.commit([put(exampleAccount(`apn_${n}`))]);
    await store.commit([remove("apn_3")]);
    expect(await ids({ limit: 1, after: "apn_4" })).toEqual(["apn_2"]);
    expect(await ids({ limit: 10, after: "apn_3" })).toEqual(["apn_2", "apn_1"]);
    expect(await ids({ limit: 1, before: "apn_1" })).toEqual(["apn_2"]);
    expect(await ids({ limit: 10, after: "apn_4", before: "apn_1" })).toEqual(["apn_2"]);
    await expect(ids({ limit: 10, after: "apn_x" })).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("a failed commit changes neither accounts nor the sealing", async () => {
    const store = get();
    const sealing: Sealing = { key: "file", salt: "c2FsdA==", check: "check", swept: false };
    await store.commit([put(exampleAccount("apn_1")), { op: "user.put", user: exampleUser("u_1", { apiKey: "k" }) }]);
    const refused = store.commit([
      put(exampleAccount("apn_2")),
      remove("apn_1"),
      { op: "sealing.put", sealing },
      { op: "user.put", user: exampleUser("u_2", { apiKey: "k" }) },
    ]);
    await expect(refused).rejects.toMatchObject({ code: "store_failed" });
    expect(await ids({ limit: 10 })).toEqual(["apn_1"]);
    expect(await store.sealing()).toBeUndefined();
    await store.commit([{ op: "sealing.put", sealing }]);
    await store.commit([{ op: "sealing.put", sealing: { ...sealing, swept: true } }]);
    expect(await store.sealing()).toEqual({ ...sealing, swept: true });
  });

  test("a first sealing does not replace another one", async () => {
    const store = get();
    const sealing: Sealing = { key: "given", salt: "c2FsdA==", check: "check", swept: true };
    const first = (salt: string) => ({ op: "sealing.put", sealing: { ...sealing, salt }, isFirst: true }) as const;
    await store.commit([first("YQ==")]);
    await expect(store.commit([put(exampleAccount("apn_1")), first("Yg==")])).rejects.toMatchObject({
      code: "store_failed",
    });
    expect([await store.sealing(), await ids({ limit: 10 })]).toEqual([{ ...sealing, salt: "YQ==" }, []]);
  });

  test("a sweep keeps all records", async () => {
    const store = get();
    await store.commit([put(exampleAccount("apn_1")), put(exampleAccount("apn_2"))]);
    await store.commit([remove("apn_2")]);
    await store.sweep();
    expect(await ids({ limit: 10 })).toEqual(["apn_1"]);
    await store.commit([put(exampleAccount("apn_3"))]);
    expect(await ids({ limit: 10 })).toEqual(["apn_3", "apn_1"]);
  });
}
