import { expect, test } from "vitest";

import type { RequestEntry, SourceAppEvents } from "../../../model/src/app-events.ts";
import type { Change } from "../contract.ts";
import type { GetStore } from "./given-store.cases.ts";
import { exampleAccount, exampleAppEndpoint, exampleSource } from "./examples.cases.ts";

const listening = (
  id: string,
  names: readonly string[],
  more: Partial<SourceAppEvents> = {},
  active = true,
): Change => ({
  op: "source.put",
  source: exampleSource(id, {
    active,
    appEvents: { hook: { app: "slack", appProp: "app", names, accountId: "apn_1", ...more } },
  }),
});

/** The endpoints of apps, who listens, and what was received. */
export function describeApps(get: GetStore): void {
  test("A7 an endpoint is stored, found by its key, replaced and deleted, one for each user and app", async () => {
    const store = get();
    const endpoint = exampleAppEndpoint("slack");
    await store.commit([
      { op: "app_endpoint.put", endpoint },
      { op: "app_endpoint.put", endpoint: exampleAppEndpoint("acme") },
      { op: "app_endpoint.put", endpoint: exampleAppEndpoint("slack", { userId: "u_2", key: "other" }) },
    ]);
    expect(await store.appEndpoint("u_1", "slack")).toEqual(endpoint);
    expect(await store.appEndpointByKey(endpoint.key)).toEqual(endpoint);
    const changed = { ...endpoint, key: "new", verification: { scheme: "none", secrets: [] } };
    await store.commit([{ op: "app_endpoint.put", endpoint: changed }]);
    expect(await store.appEndpointByKey(endpoint.key)).toBeUndefined();
    expect(await store.appEndpoints("u_1")).toEqual([exampleAppEndpoint("acme"), changed]);
    await store.commit([{ op: "app_endpoint.delete", userId: "u_1", slug: "slack" }]);
    expect(await store.appEndpoint("u_1", "slack")).toBeUndefined();
    expect((await store.appEndpointByKey("other"))?.userId).toBe("u_2");
  });

  test("A4 listeners are found by name and account, and follow their source", async () => {
    const store = get();
    await store.commit([
      listening("dc_a", ["C1", "message"]),
      listening("dc_b", []),
      listening("dc_c", ["C1"], { accountId: "apn_2" }, false),
      listening("dc_d", ["C1"], { app: "other" }),
    ]);
    const found = async (query: object): Promise<string[]> =>
      (await store.appListeners({ app: "slack", ...query }))
        .map(({ sourceId, name }) => `${sourceId} ${name}`)
        .toSorted();
    expect(await found({ names: ["", "C1"] })).toEqual(["dc_a C1", "dc_b ", "dc_c C1"]);
    expect(await found({ names: ["", "C2"], accountIds: ["apn_1"] })).toEqual(["dc_b "]);
    expect(await found({ names: ["C1"], accountIds: ["apn_2"], userId: "u_1" })).toEqual(["dc_c C1"]);
    expect(await found({ userId: "u_2" })).toEqual([]);
    expect(await store.appListeners({ app: "slack", names: ["C1"], accountIds: ["apn_2"] })).toEqual([
      { app: "slack", name: "C1", userId: "u_1", sourceId: "dc_c", prop: "hook", accountId: "apn_2", active: false },
    ]);
    await store.commit([listening("dc_a", ["C3"]), { op: "source.delete", id: "dc_b" }]);
    expect(await found({})).toEqual(["dc_a C3", "dc_c C1"]);
  });

  test("A11 accounts are found by the fields of their credentials, and no longer by former ones", async () => {
    const store = get();
    const account = (id: string, auth: object, userId = "u_1"): Change => ({
      op: "account.put",
      account: exampleAccount(id, { userId, app: "slack", auth: { ...auth } }),
    });
    await store.commit([
      account("apn_1", { team_id: "T1", oauth_uid: "U1", nested: { a: 1 } as never }),
      account("apn_2", { team_id: "T1", number: 7 as never }),
      account("apn_3", { team_id: "T1" }, "u_2"),
    ]);
    const found = async (fields: [string, string][], userId?: string): Promise<string[]> =>
      (await store.accountsWith("slack", fields, userId))
        .map(({ accountId, field }) => `${accountId} ${field.join("=")}`)
        .toSorted();
    expect(
      await found(
        [
          ["team_id", "T1"],
          ["oauth_uid", "U1"],
          ["number", "7"],
        ],
        "u_1",
      ),
    ).toEqual(["apn_1 oauth_uid=U1", "apn_1 team_id=T1", "apn_2 number=7", "apn_2 team_id=T1"]);
    expect(await found([["team_id", "T1"]])).toHaveLength(3);
    expect(await store.accountsWith("other", [["team_id", "T1"]])).toEqual([]);
    const names = async (ids: string[]) => (await store.identityFields(ids)).map(({ name }) => name).toSorted();
    expect(await names(["apn_1", "apn_2"])).toEqual(["number", "oauth_uid", "team_id", "team_id"]);
    const identity = { accountId: "apn_x", userId: "u_1", app: "slack", fields: [["team_id", "T9"]] as const };
    await store.commit([
      account("apn_1", { team_id: "T2" }),
      { op: "account.delete", id: "apn_2" },
      { op: "account.identify", identity },
    ]);
    expect(
      await found([
        ["team_id", "T1"],
        ["team_id", "T2"],
        ["team_id", "T9"],
      ]),
    ).toEqual(["apn_1 team_id=T2", "apn_3 team_id=T1", "apn_x team_id=T9"]);
  });

  test("A16 an id is stored once, with everything else of its commit or not at all", async () => {
    const store = get();
    const add = (id: string, at: number, userId = "u_1"): Change => ({
      op: "app_event.add",
      userId,
      slug: "slack",
      id,
      at,
    });
    const seen = (ids: string[]) => store.seenAppEvents("u_1", "slack", ids);
    await store.commit([add("e1", 1_000), add("e2", 2_000), add("e1", 1_000, "u_2")]);
    expect((await seen(["e1", "e2", "e3"])).toSorted((a, b) => a.at - b.at)).toEqual([
      { id: "e1", at: 1_000 },
      { id: "e2", at: 2_000 },
    ]);
    const refused = store.commit([add("e3", 3_000), listening("dc_a", []), add("e1", 3_000)]);
    await expect(refused).rejects.toMatchObject({ code: "store_failed" });
    expect([await seen(["e3"]), await store.source("dc_a")]).toEqual([[], undefined]);
    const trim = (before: number, keep: number): Change => ({
      op: "app_events.trim",
      userId: "u_1",
      slug: "slack",
      before,
      keep,
    });
    await store.commit([trim(1_500, 10), add("e1", 4_000), add("e4", 5_000)]);
    expect((await seen(["e1", "e2", "e4"])).map(({ at }) => at).toSorted((a, b) => a - b)).toEqual([
      2_000, 4_000, 5_000,
    ]);
    await store.commit([trim(0, 1)]);
    expect(await seen(["e1", "e2", "e4"])).toEqual([{ id: "e4", at: 5_000 }]);
    await store.commit([trim(9_000, 10)]);
    expect(await seen(["e4"])).toEqual([]);
    expect(await store.seenAppEvents("u_2", "slack", ["e1"])).toHaveLength(1);
  });

  test("A15 the last requests of an endpoint are kept, and go with their source", async () => {
    const store = get();
    const entry = (at: number): RequestEntry => ({
      at,
      outcome: "delivered",
      names: ["a"],
      eventId: "e",
      triggers: 1,
      skipped: 0,
      durationMs: 2,
    });
    const add = (owner: string, at: number): Change => ({ op: "request.add", owner, entry: entry(at) });
    await store.commit([
      listening("dc_a", []),
      add("dc_a", 1),
      add("dc_a", 2),
      add("dc_a", 3),
      add("app u_1 slack", 1),
    ]);
    await store.commit([{ op: "requests.trim", owner: "dc_a", keep: 2 }]);
    expect(await store.requests("dc_a", 10)).toEqual([entry(3), entry(2)]);
    expect(await store.requests("dc_a", 1)).toEqual([entry(3)]);
    await store.commit([{ op: "source.delete", id: "dc_a" }]);
    expect(await store.requests("dc_a", 10)).toEqual([]);
    await store.commit([{ op: "requests.trim", owner: "app u_1 slack", keep: 0 }]);
    expect(await store.requests("app u_1 slack", 10)).toEqual([]);
  });
}
