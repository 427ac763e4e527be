import { expect, test } from "vitest";

import { silentLogger } from "../../model/src/logger.ts";
import type { AccountOAuth } from "../../model/src/account-app.ts";
import type { Account } from "../../model/src/model.ts";
import { OAuthFailure } from "./oauth/failure.ts";
import type { OAuthProtocol } from "./oauth/protocol.ts";
import type { ServerClient } from "./oauth/server.ts";
import { manualClock } from "../../model/src/process/clock.ts";
import { exampleAccount } from "../../store/src/conformance/examples.cases.ts";
import type { Store } from "../../store/src/contract.ts";
import { createMemoryStore } from "../../store/src/memory/memory.ts";
import { createAccountRecords } from "./account-records.ts";
import { resumeRenewals } from "./resume-renewals.ts";
import { createRenewals, type Renewals } from "./renewals.ts";

const hour = 3_600_000;
const oauth: AccountOAuth = { grant: "authorization_code", scopes: [], obtainedAt: 0, expiresAt: hour };
const account = exampleAccount("apn_1", {
  auth: { oauth_access_token: "access-1", oauth_refresh_token: "refresh-1" },
  oauth,
});

interface Started {
  readonly renewals: Renewals;
  readonly store: Store;
  readonly clock: ReturnType<typeof manualClock>;
  /** Refresh tokens that the server was asked with. */
  readonly asked: string[];
  /** Failure of commits, of those after the next answer of the server, and of the server. */
  readonly faults: { commit?: Error | undefined; afterAnswer?: Error | undefined; server?: OAuthFailure | undefined };
}

async function start(first: Account = account): Promise<Started> {
  const engine = createMemoryStore();
  await engine.commit([{ op: "account.put", account: first }]);
  const faults: Started["faults"] = {};
  const store: Store = {
    ...engine,
    commit: (changes) => (faults.commit ? Promise.reject(faults.commit) : engine.commit(changes)),
  };
  const asked: string[] = [];
  const protocol = {
    async refresh(_server: ServerClient, refreshToken: string) {
      asked.push(refreshToken);
      faults.commit = faults.afterAnswer;
      faults.afterAnswer = undefined;
      if (faults.server) throw faults.server;
      const n = asked.length + 1;
      return { accessToken: `access-${n}`, refreshToken: `refresh-${n}`, expiresInSeconds: 3_600, more: {} };
    },
  } as unknown as OAuthProtocol;
  const clock = manualClock(hour);
  const renewals = createRenewals({
    records: createAccountRecords(store),
    clock,
    logger: silentLogger,
    protocol,
    serverOf: () => Promise.resolve({} as ServerClient),
  });
  return { renewals, store, clock, asked, faults };
}

const stored = async ({ store }: Started): Promise<Account | undefined> => store.account("apn_1");

test("what a server may replace is not sent when the store does not take the attempt", async () => {
  const { renewals, faults, asked } = await start();
  faults.commit = new Error("the disk is full");
  await expect(renewals.current(account)).rejects.toThrow("the disk is full");
  expect(asked).toEqual([]);
});

const interrupted: Account = { ...account, oauth: { ...oauth, attemptedAt: 90_000 } };

test("an attempt is stored before the refresh token is sent, and forgotten with the new tokens", async () => {
  const started = await start();
  const { renewals, store, clock } = started;
  const commits: (number | undefined)[] = [];
  const put = store.commit;
  Object.assign(store, {
    commit: (changes: Parameters<typeof put>[0]) => {
      for (const change of changes) if (change.op === "account.put") commits.push(change.account.oauth?.attemptedAt);
      return put(changes);
    },
  });
  await renewals.current(account);
  expect(commits).toEqual([clock.now(), undefined]);
});

test("an account whose renewal was cut off is renewed at the start", async () => {
  const started = await start(interrupted);
  await resumeRenewals(["u_0", "u_1"], started);
  expect(started.asked).toEqual(["refresh-1"]);
  expect((await stored(started))?.oauth).not.toHaveProperty("attemptedAt");
  expect((await stored(started))?.auth).toMatchObject({ oauth_access_token: "access-2" });
  await resumeRenewals(["u_1"], started);
  expect(started.asked.length).toBe(1);
});

test("where the server has replaced the refresh token, the account is marked at the start, and says why", async () => {
  const started = await start(interrupted);
  started.faults.server = new OAuthFailure("invalid_grant", "grant request is invalid");
  await resumeRenewals(["u_1"], started);
  const marked = (await stored(started)) ?? account;
  expect(marked.oauth?.failure).toMatchObject({ code: "invalid_grant", final: true });
  await expect(started.renewals.current(marked)).rejects.toMatchObject({
    code: "account_disconnected",
    message: expect.stringMatching(
      /grant request is invalid; the answer to an attempt at 1970-01-01T00:01:30\.000Z was lost, .* x accounts connect \S+ --account apn_1/,
    ) as string,
  });
});

test("accounts without an interrupted renewal are not asked for at the start, on any page", async () => {
  const started = await start();
  const others = Array.from({ length: 250 }, (_, index) => ({ ...account, id: `apn_more${index}` }));
  const last = { ...interrupted, id: "apn_last" };
  await started.store.commit([...others, last].map((each) => ({ op: "account.put", account: each }) as const));
  await resumeRenewals(["u_1"], started);
  expect(started.asked.length).toBe(1);
  expect((await started.store.account("apn_last"))?.oauth).not.toHaveProperty("attemptedAt");
});

test("new tokens that the store refuses are kept, and stored first; the old refresh token is not used again", async () => {
  const started = await start();
  const { renewals, faults, asked } = started;
  faults.afterAnswer = new Error("the disk is full");
  await expect(renewals.current(account)).rejects.toThrow("the disk is full");
  expect((await stored(started))?.auth["oauth_refresh_token"]).toBe("refresh-1");
  await expect(renewals.current(account)).rejects.toThrow("the disk is full");
  faults.commit = undefined;
  expect(await renewals.current(account)).toMatchObject({ oauth_access_token: "access-2" });
  expect(asked).toEqual(["refresh-1"]);
  expect((await stored(started))?.auth["oauth_refresh_token"]).toBe("refresh-2");
});

test("tokens that the store refused are dropped when the account was connected again meanwhile", async () => {
  const started = await start();
  const { renewals, faults, store, asked } = started;
  faults.afterAnswer = new Error("the disk is full");
  await expect(renewals.current(account)).rejects.toThrow("the disk is full");
  faults.commit = undefined;
  const again = { ...account, auth: { oauth_access_token: "mine", oauth_refresh_token: "refresh-mine" } };
  await store.commit([{ op: "account.put", account: again }]);
  expect(await renewals.current(again)).toMatchObject({ oauth_access_token: "access-3" });
  expect(asked).toEqual(["refresh-1", "refresh-mine"]);
});

test("tokens are stored when somebody gets them, and those of other users are not known", async () => {
  const started = await start();
  const [first, second] = await Promise.all([started.renewals.current(account), started.renewals.current(account)]);
  expect([first, started.asked]).toEqual([second, ["refresh-1"]]);
  expect((await stored(started))?.auth).toEqual(first);
  expect([started.renewals.knows("access-2", "u_1"), started.renewals.knows("access-2", "u_2")]).toEqual([true, false]);
  expect(await started.renewals.rejected("access-2", "u_2")).toBeUndefined();
});

test("a token that is still valid is used while its server fails, and the failure is written once", async () => {
  const started = await start();
  const { renewals, faults, clock, asked, store } = started;
  clock.jump(-120_000);
  faults.server = new OAuthFailure("network_failed", "it is down");
  expect(await renewals.current(account)).toEqual(account.auth);
  const marked = (await store.account("apn_1")) ?? account;
  expect(marked.oauth?.failure).toMatchObject({ code: "network_failed", final: false });
  clock.jump(5_000);
  expect(await renewals.current(marked)).toEqual(account.auth);
  expect(asked.length).toBe(2);
  // Twice as long as before.
  clock.jump(5_000);
  await renewals.current(marked);
  expect(asked.length).toBe(2);
  expect((await stored(started))?.oauth?.failure?.at).toBe(hour - 120_000);
  clock.jump(120_000);
  await expect(renewals.current(marked)).rejects.toMatchObject({
    code: "account_failed",
    message: expect.stringContaining("it is down") as string,
  });
});

test("a new token is given although its short life is over when it is stored", async () => {
  const started = await start();
  const put = started.store.commit;
  const slow: Store = {
    ...started.store,
    commit: (changes) => put(changes).finally(() => started.clock.jump(2 * hour)),
  };
  const renewals = createRenewals({
    records: createAccountRecords(slow),
    clock: started.clock,
    logger: silentLogger,
    protocol: {
      refresh: async () => ({ accessToken: "short", expiresInSeconds: 1, more: {} }),
    } as unknown as OAuthProtocol,
    serverOf: () => Promise.resolve({} as ServerClient),
  });
  expect(await renewals.current(account)).toMatchObject({ oauth_access_token: "short" });
});

test("an account that was deleted meanwhile is not written again", async () => {
  const started = await start();
  await started.store.commit([{ op: "account.delete", id: "apn_1" }]);
  await expect(started.renewals.current(account)).rejects.toMatchObject({ code: "account_failed" });
  expect([started.asked, await stored(started)]).toEqual([[], undefined]);
});
