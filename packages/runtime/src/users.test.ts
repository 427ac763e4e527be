import { describe, expect, it } from "vitest";

import { manualClock } from "./clock.ts";
import { createMemoryStore } from "./store/memory.ts";
import { createUsers } from "./users.ts";

const clock = manualClock(1_000);

describe("users", () => {
  it("a new store gets a user with a key of its own, which stays", async () => {
    const store = createMemoryStore();
    const users = await createUsers({ store, clock, apiKey: undefined });
    expect(users.first).toMatchObject({ id: expect.stringMatching(/^u_/), createdAt: 1_000 });
    expect(users.first.apiKey).toHaveLength(40);
    const again = await createUsers({ store, clock, apiKey: undefined });
    expect(again.first).toEqual(users.first);
  });

  it("a key given at start is the first user's from then on, and the old one is not", async () => {
    const store = createMemoryStore();
    const before = await createUsers({ store, clock, apiKey: "first-key" });
    const after = await createUsers({ store, clock, apiKey: "second-key" });
    expect(after.first).toEqual({ ...before.first, apiKey: "second-key" });
    expect(after.authenticate("second-key")).toEqual(after.first);
    expect(after.authenticate("first-key")).toBeUndefined();
    expect((await createUsers({ store, clock, apiKey: undefined })).first.apiKey).toBe("second-key");
  });

  it("R115 authenticates whole keys only", async () => {
    const users = await createUsers({ store: createMemoryStore(), clock, apiKey: "a-key" });
    for (const given of ["", "a-ke", "a-key ", "A-KEY", "a-keyy"]) expect(users.authenticate(given)).toBeUndefined();
    expect(users.authenticate("a-key")?.id).toBe(users.first.id);
  });

  it("R024 shows quotas as integers and the counters of the UTC day", async () => {
    const store = createMemoryStore();
    const users = await createUsers({ store, clock: manualClock(Date.parse("2026-11-20T23:59:59Z")), apiKey: "k" });
    const userId = users.first.id;
    await store.commit([{ op: "usage.add", userId, day: "2026-11-20", invocations: 2, computeMs: 30 }]);
    await store.commit([{ op: "usage.add", userId, day: "2026-11-21", invocations: 5, computeMs: 50 }]);
    const view = await users.view(userId);
    expect(view).toMatchObject({ dailyInvocationsUsed: 2, dailyComputeTimeUsed: 30 });
    expect([view.dailyInvocationsQuota, view.dailyComputeTimeQuota].every(Number.isSafeInteger)).toBe(true);
    await expect(users.view("u_nobody")).rejects.toMatchObject({ code: "not_found" });
  });
});
