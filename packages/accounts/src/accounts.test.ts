import { beforeEach, describe, expect, it } from "vitest";

import type { AccountUse } from "./account-use.ts";
import { createAccountRecords } from "./account-records.ts";
import { type Accounts, type AccountsParts, createAccounts } from "./accounts.ts";
import type { AccountView } from "./contract.ts";
import { manualClock } from "../../model/src/process/clock.ts";
import type { Account, Json, PropShape, Source } from "../../model/src/model.ts";
import { silentLogger } from "../../model/src/logger.ts";
import { recordLog } from "../../components/src/registry/registry.cases.ts";
import type { Store } from "../../store/src/contract.ts";
import { exampleComponent, exampleSource, putSource } from "../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../store/src/memory/memory.ts";

let store: Store;
let reads: number;
/** Holds commits, or reads of accounts, until it resolves. */
let gates: { commit: Promise<void>; read: Promise<void> };
let accounts: Accounts;
const clock = manualClock(1_795_197_600_000);
beforeEach(() => {
  const engine = createMemoryStore();
  reads = 0;
  gates = { commit: Promise.resolve(), read: Promise.resolve() };
  store = {
    ...engine,
    commit: (changes) => gates.commit.then(() => engine.commit(changes)),
    async account(id) {
      reads += 1;
      const found = await engine.account(id);
      await gates.read;
      return found;
    },
  };
  accounts = createAccounts({ ...connected(), store, clock, callback: undefined, logger: silentLogger });
});

/** What accounts need besides: no account of these tests has tokens of an authorization server. */
const connected = (): Pick<AccountsParts, "records" | "renewals" | "revoke"> => ({
  records: createAccountRecords(store),
  renewals: { current: ({ auth }) => Promise.resolve(auth) },
  revoke: () => Promise.resolve(),
});

const token = "token-of-acme";
const create = (auth: Account["auth"] = { token }, app = "acme"): Promise<AccountView> =>
  accounts.create({ app, auth }, "u_1");
const shape: PropShape[] = [{ name: "acme", type: "app", app: "acme" }];
const component = exampleComponent("sc_1", { shape: { name: "A", version: "1", props: shape, hooks: [] } });
const configured = (id: Json): Source["configuredProps"] => ({ acme: { authProvisionId: id } });
const useOf = (id: Json, more: Partial<Source> = {}): AccountUse => ({
  source: exampleSource("dc_1", { name: "Being made", configuredProps: configured(id), ...more }),
  component,
  isChosen: () => true,
});
const nothing = (): Promise<void> => Promise.resolve();
async function whileUsing<T>(use: AccountUse, work: () => Promise<T>): Promise<T> {
  using _accounts = await accounts.hold(use);
  return await work();
}

describe("accounts in use", () => {
  it("S14 an account is not deleted while a source is being deployed with it, even if that fails", async () => {
    const { id } = await create();
    const refused = { code: "account_in_use", message: expect.stringContaining("dc_1 (Being made)") as string };
    await whileUsing(useOf(id), () =>
      whileUsing(useOf(id), () => expect(accounts.delete(id, false, "u_1")).rejects.toMatchObject(refused)),
    );
    const failed = whileUsing(useOf(id), async () => {
      await expect(accounts.delete(id, false, "u_1")).rejects.toMatchObject(refused);
      throw new Error("the hook failed");
    });
    await expect(failed).rejects.toThrow("the hook failed");
    await accounts.delete(id, false, "u_1");
    await expect(whileUsing(useOf(id), nothing)).rejects.toMatchObject({ code: "invalid_props" });
  });

  it("S14 a deploy during the deletion of its account waits, and is refused", async () => {
    const { id } = await create();
    const gate = Promise.withResolvers<void>();
    gates.commit = gate.promise;
    const deleted = accounts.delete(id, false, "u_1");
    const deployed = whileUsing(useOf(id), () => Promise.reject(new Error("it must not come to this")));
    gate.resolve();
    await deleted;
    await expect(deployed).rejects.toMatchObject({ code: "invalid_props" });
  });

  it("S14 the error names the first sources that use the account, and its details list all", async () => {
    const { id } = await create();
    const using = Array.from({ length: 130 }, (_, n) => exampleSource(`dc_${n}`, { configuredProps: configured(id) }));
    const others = [
      exampleSource("dc_other", { configuredProps: configured("apn_other") }),
      exampleSource("dc_list", { configuredProps: { list: [id], text: id } }),
      exampleSource("dc_foreign", { userId: "u_2", configuredProps: configured(id) }),
    ];
    await store.commit([...using, ...others].map(putSource));
    const refused = await accounts.delete(id, false, "u_1").catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "account_in_use",
      message: expect.stringMatching(/used by sources dc_129 \(Feed\), .*dc_120 \(Feed\), and 120 more;/) as string,
      details: { sources: using.toReversed().map(({ id, name }) => ({ id, name })) },
    });
    await accounts.delete(id, true, "u_1");
    await expect(accounts.delete(id, true, "u_1")).rejects.toMatchObject({ code: "not_found" });
  });

  it("S27 only the user's own accounts of the right app are accepted, and only newly chosen ones are checked", async () => {
    const own = await create();
    const wrong = await create({}, "other");
    await whileUsing(useOf(own.id), nothing);
    for (const use of [useOf(own.id, { userId: "u_2" }), useOf(wrong.id), useOf("apn_none"), useOf("")]) {
      await expect(whileUsing(use, nothing)).rejects.toMatchObject({ code: "invalid_props" });
      expect(await whileUsing({ ...use, isChosen: () => false }, async () => "kept")).toBe("kept");
    }
    // An app prop without a value asks for no account.
    expect(await whileUsing(useOf(null, { configuredProps: {} }), async () => "none")).toBe("none");
  });
});

describe("credentials", () => {
  const ask = (id: string, more: object = {}): Promise<unknown> =>
    accounts.credentials({ app: "acme", id, userId: "u_1", ...more });

  it("R068 are current, and are read once until they change", async () => {
    const { id } = await create();
    expect([await ask(id), await ask(id), await ask(id)]).toEqual([{ token }, { token }, { token }]);
    expect(reads).toBe(1);
    await accounts.update(id, { auth: { token: "new" } }, "u_1");
    expect(await ask(id)).toEqual({ token: "new" });
    await accounts.update(id, { name: "Named" }, "u_1");
    expect(await ask(id)).toEqual({ token: "new" });
    await accounts.delete(id, false, "u_1");
    expect(await ask(id)).toBeUndefined();
  });

  it("R068 that changed during a read do not enter the cache", async () => {
    const { id } = await create();
    const gate = Promise.withResolvers<void>();
    gates.read = gate.promise;
    const early = ask(id);
    const updated = accounts.update(id, { auth: { token: "new" } }, "u_1");
    gate.resolve();
    await Promise.all([early, updated]);
    expect(await ask(id)).toEqual({ token: "new" });
  });

  it("R068 are those of the requesting user and app, or undefined", async () => {
    const { id } = await create();
    expect([await ask(id, { userId: "u_2" }), await ask(id, { app: "other" }), await ask("apn_none")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("3.12 a callback answers first and checks all ids; without its answer, stored accounts are used", async () => {
    const { id } = await create();
    accounts = createAccounts({
      ...connected(),
      store,
      clock,
      callback: ({ app, id }) => (id === "apn_mine" ? { app, token: "from-callback" } : undefined),
      logger: silentLogger,
    });
    expect(await ask("apn_mine")).toEqual({ app: "acme", token: "from-callback" });
    expect(await ask(id)).toEqual({ token });
    expect(await ask(id, { userId: "u_2" })).toEqual({});
    expect(await ask("anything")).toEqual({});
    expect(await whileUsing(useOf("anything"), async () => "taken")).toBe("taken");
  });
});

/** So many objects in one another. */
function nested(levels: number): Json {
  let value: Json = token;
  for (let level = 0; level < levels; level += 1) value = { inside: value };
  return value;
}

describe("the credentials of an embedder", () => {
  it("3.12 may nest 256 levels", async () => {
    expect(await create(nested(256) as Account["auth"])).toMatchObject({ app: "acme" });
  });

  it("3.12 a callback that fails, or returns no JSON object, is reported without its error", async () => {
    const logger = recordLog();
    let answer: () => unknown = () => undefined;
    accounts = createAccounts({ ...connected(), store, clock, callback: () => answer(), logger });
    const ask = (): Promise<unknown> => accounts.credentials({ app: "acme", id: "apn_mine", userId: "u_1" });
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const wrong: (() => unknown)[] = [
      () => circle,
      () => ({ n: 1n }),
      () => nested(3_000),
      () => () => token,
      () => token,
      () => [token],
    ];
    for (answer of wrong) await expect(ask()).rejects.toMatchObject({ code: "account_failed" });
    expect(logger.lines).toEqual([]);
    const failing: (() => unknown)[] = [
      () => Promise.reject(new Error(`no ${token}`)),
      () => {
        throw new Error(`no ${token}`);
      },
    ];
    for (answer of failing) {
      const failure = (await ask().catch((error: unknown) => error)) as Error;
      expect(failure).toMatchObject({ code: "account_failed" });
      expect(failure.message).not.toContain(token);
    }
    const line = ["the accounts callback failed", { app: "acme", account: "apn_mine", error: `Error: no ${token}` }];
    expect(logger.lines).toEqual([line, line]);
    answer = () => ({ toJSON: () => ({ token }) });
    expect(await ask()).toEqual({ token });
  });

  it("3.12 is copied as JSON", async () => {
    const auth = { token, list: ["a"], at: new Date(0) as unknown as Json, none: undefined as unknown as Json };
    const { id } = await create(auth);
    auth.list.push("b");
    const stored = { token, list: ["a"], at: "1970-01-01T00:00:00.000Z" };
    expect(await accounts.credentials({ app: "acme", id, userId: "u_1" })).toEqual(stored);
  });

  it("3.12 must be a JSON object, and errors do not show it", async () => {
    const circle: { [name: string]: Json } = { token };
    circle["self"] = circle;
    const wrong: unknown[] = [
      circle,
      { big: 1n },
      token,
      [token],
      5,
      null,
      undefined,
      () => token,
      { t: "x".repeat(70_000) },
      nested(257),
      nested(3_000),
      nested(100_000),
      { toJSON: () => undefined },
      { toJSON: () => [token] },
      new Date(0),
    ];
    for (const auth of wrong) {
      const input = { app: "acme", auth: auth as Account["auth"] };
      const refused = await accounts.create(input, "u_1").catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "invalid_parameter", details: { parameter: "auth" } });
      expect(JSON.stringify([String(refused), refused])).not.toContain(token);
    }
    expect((await accounts.list({ limit: 10 }, {}, "u_1")).totalCount).toBe(0);
  });
});
