import { afterAll, describe, expect, it } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import { testEngine } from "../engine.cases.ts";
import { makeFolder, removeFolders } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import type { Store } from "../../../store/src/contract.ts";
import { createUsers, type Users } from "./users.ts";

const clock = manualClock(1_000);
const openUsers = (store: Store = createMemoryStore(), apiKey?: string): Promise<Users> =>
  createUsers({ store, clock, apiKey, revoked: () => undefined });

afterAll(removeFolders);

describe("users", () => {
  it("a start may change the key of the first user", async () => {
    const data = makeFolder();
    const engine = await testEngine();
    const first = await createRuntime({ data, engine });
    const before = (await first.user()).user;
    await first.close();
    await using second = await createRuntime({ data, engine, apiKey: "another-key-0123456789" });
    expect((await second.user()).user).toEqual({ ...before, apiKey: "another-key-0123456789" });
    expect(await second.authenticate(before.apiKey)).toBeUndefined();
  });

  it("calls for an unknown user are refused, also by username", async () => {
    await using runtime = await createRuntime({ engine: await testEngine() });
    await runtime.addUser({ username: "alice" });
    const code = "export default { name: 'A', version: '1', run() {} }";
    const acting: (() => Promise<unknown>)[] = [
      () => runtime.as("alice").deploy({ code }),
      () => runtime.as("u_nobody").sources({ limit: 10 }),
      () => runtime.as("u_nobody").createAccount({ app: "acme", auth: {} }),
      async () => runtime.as("u_nobody").events({}),
    ];
    for (const act of acting) await expect(act()).rejects.toThrow(/^No user has the id or key "(?:alice|u_nobody)"\.$/);
  });

  it("`as` acts with the rights of the user, and is refused without an id", async () => {
    await using runtime = await createRuntime({ engine: await testEngine() });
    const { id } = await runtime.addUser({ username: "alice" });
    const alice = runtime.as(id);
    const code = "export default { name: 'A', version: '1', run() { this.$emit(1) } }";
    const { source } = await alice.deploy({ code });
    expect([source.userId, (await alice.user()).user.username]).toEqual([id, "alice"]);
    expect([
      (await alice.sources({ limit: 10 })).totalCount,
      (await runtime.sources({ limit: 10 })).totalCount,
    ]).toEqual([1, 0]);
    await runtime.start();
    expect((await alice.invoke(source.id)).status).toBe("ok");
    await expect(runtime.delete(source.id)).rejects.toMatchObject({ code: "not_found" });
    await alice.delete(source.id);
    for (const missing of [undefined, null, { id }])
      expect(() => Reflect.apply(runtime.as, runtime, [missing])).toThrow(
        /^Parameter "userId" must be the id of a user/,
      );
  });

  it("a new store gets a user with its own key, which stays", async () => {
    const store = createMemoryStore();
    const users = await openUsers(store);
    expect(users.first).toMatchObject({ id: expect.stringMatching(/^u_/), createdAt: 1_000 });
    expect(users.first.apiKey).toHaveLength(40);
    const again = await openUsers(store);
    expect(again.first).toEqual(users.first);
  });

  it("a key given at start replaces the first user's key", async () => {
    const store = createMemoryStore();
    const before = await openUsers(store, "first-key");
    const after = await openUsers(store, "second-key");
    expect(after.first).toEqual({ ...before.first, apiKey: "second-key" });
    expect(after.authenticate("second-key")).toEqual(after.first);
    expect(after.authenticate("first-key")).toBeUndefined();
    expect((await openUsers(store)).first.apiKey).toBe("second-key");
  });

  it("R115 authenticates whole keys only", async () => {
    const users = await openUsers(createMemoryStore(), "a-key");
    for (const given of ["", "a-ke", "a-key ", "A-KEY", "a-keyy"]) expect(users.authenticate(given)).toBeUndefined();
    expect(users.authenticate("a-key")?.id).toBe(users.first.id);
  });

  it("R024 shows quotas as integers and the counters of the UTC day", async () => {
    const store = createMemoryStore();
    const late = manualClock(Date.parse("2026-11-20T23:59:59Z"));
    const users = await createUsers({ store, clock: late, apiKey: "k", revoked: () => undefined });
    const userId = users.first.id;
    await store.commit([{ op: "usage.add", userId, day: "2026-11-20", invocations: 2, computeMs: 30 }]);
    await store.commit([{ op: "usage.add", userId, day: "2026-11-21", invocations: 5, computeMs: 50 }]);
    const view = await users.view(userId);
    expect(view).toMatchObject({ dailyInvocationsUsed: 2, dailyComputeTimeUsed: 30 });
    expect([view.dailyInvocationsQuota, view.dailyComputeTimeQuota].every(Number.isSafeInteger)).toBe(true);
    await expect(users.view("u_nobody")).rejects.toMatchObject({ code: "not_found" });
  });

  it("adds users with their own keys, which survive a restart", async () => {
    const store = createMemoryStore();
    const users = await openUsers(store, "first-key");
    const alice = await users.add({ username: "alice" });
    const bob = await users.add({ username: "bob.2-x_y", email: "bob@example.org" });
    expect(alice).toMatchObject({ id: expect.stringMatching(/^u_/), username: "alice", email: "alice@localhost" });
    expect([bob.email, bob.apiKey.length, bob.apiKey === alice.apiKey]).toEqual(["bob@example.org", 40, false]);
    const again = await openUsers(store);
    expect(again.list()).toEqual([users.first, alice, bob]);
    expect([again.first.id, again.authenticate(bob.apiKey)?.id]).toEqual([users.first.id, bob.id]);
  });

  it("keeps usernames unique, also in concurrent calls, and different from ids", async () => {
    const users = await openUsers();
    const both = await Promise.allSettled([users.add({ username: "twin" }), users.add({ username: "twin" })]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(users.add({ username: "local" })).rejects.toMatchObject({ code: "username_taken" });
    expect(users.list()).toHaveLength(2);
  });

  it("refuses invalid names, addresses and periods, and stores nothing", async () => {
    const users = await openUsers();
    const names = ["", "-a", ".a", "A", "a b", "é", "a/b", "a".repeat(65), "me", "a\n", "../a"];
    for (const username of names)
      await expect(users.add({ username }), username).rejects.toMatchObject({
        code: "invalid_parameter",
        details: { parameter: "username" },
      });
    for (const email of ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\u0000", `a@${"b".repeat(190)}`])
      await expect(users.add({ username: "a", email }), email).rejects.toMatchObject({
        details: { parameter: "email" },
      });
    for (const [periodStart, periodEnd] of [
      [2, 1],
      [1, 1],
      [-1, 1],
      [0.5, 1],
      [0, 253_402_300_800_000],
      [0, Number.NaN],
    ] as const)
      await expect(users.add({ username: "a", billing: { periodStart, periodEnd } })).rejects.toMatchObject({
        details: { parameter: "billing" },
      });
    expect(users.list()).toEqual([users.first]);
    await expect(users.add({ username: "a".repeat(64) })).resolves.toBeDefined();
  });

  it("rotates a key by id and by name; the new key works at once, the old one no longer", async () => {
    const store = createMemoryStore();
    const revoked: string[] = [];
    const users = await createUsers({ store, clock, apiKey: "first", revoked: (key) => revoked.push(key) });
    const alice = await users.add({ username: "alice" });
    const once = await users.rotateKey("alice");
    const twice = await users.rotateKey(alice.id);
    expect([alice, once, twice].map(({ apiKey }) => users.authenticate(apiKey)?.id)).toEqual([
      undefined,
      undefined,
      alice.id,
    ]);
    expect(twice).toEqual({ ...alice, apiKey: twice.apiKey });
    const first = await users.rotateKey(users.first.id);
    expect([users.first, users.authenticate("first")]).toEqual([first, undefined]);
    expect(revoked).toEqual([alice.apiKey, once.apiKey, "first"]);
    expect((await openUsers(store)).list()).toEqual([first, twice]);
    await expect(users.rotateKey("nobody")).rejects.toMatchObject({ code: "not_found" });
  });

  it("a key that the store refused does not work, and the old one still does", async () => {
    const store = createMemoryStore();
    const users = await openUsers(store);
    const alice = await users.add({ username: "alice" });
    await store.close();
    await expect(users.rotateKey("alice")).rejects.toMatchObject({ code: "closed" });
    await expect(users.add({ username: "bob" })).rejects.toMatchObject({ code: "closed" });
    expect(users.authenticate(alice.apiKey)?.id).toBe(alice.id);
    expect(users.list()).toHaveLength(2);
  });

  it("another user's key is refused as the first user's at the start", async () => {
    const store = createMemoryStore();
    const { apiKey } = await (await openUsers(store)).add({ username: "alice" });
    await expect(openUsers(store, apiKey)).rejects.toMatchObject({ code: "invalid_options" });
  });

  it("values that only convert to a name or an address are refused", async () => {
    const users = await openUsers();
    for (const username of [undefined, null, 123, ["alice"], "me", "Alice", "ünï", "a\n", "__proto__"] as string[])
      await expect(users.add({ username })).rejects.toMatchObject({ code: "invalid_parameter" });
    for (const email of [12, ["a@b"], "a@b@c", "a\n@b"] as string[])
      await expect(users.add({ username: "alice", email })).rejects.toMatchObject({ code: "invalid_parameter" });
    expect(users.list()).toEqual([users.first]);
  });

  it("R025 counts a paid account's invocations over the days of its period", async () => {
    const store = createMemoryStore();
    const users = await openUsers(store);
    const billing = { periodStart: Date.UTC(2026, 10, 1), periodEnd: Date.UTC(2026, 11, 1) };
    const { id } = await users.add({ username: "paid", billing });
    for (const [index, day] of ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"].entries())
      await store.commit([{ op: "usage.add", userId: id, day, invocations: 10 ** index, computeMs: 1 }]);
    expect((await users.view(id)).billingPeriodInvocations).toBe(110);
    expect(await users.view(users.first.id)).not.toHaveProperty("billingPeriodInvocations");
  });
});
