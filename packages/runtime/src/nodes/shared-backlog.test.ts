import { expect, test } from "vitest";

import { createBacklog } from "../invocation/inbox/backlog.ts";
import { addTrigger, exampleTrigger } from "../../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import { createSharedBacklog } from "./shared-backlog.ts";

const limits = { inboxPerSource: 4, inboxBytesPerSource: 1_000, inboxBytesPerUser: 1e9, inboxBytes: 1e9 };
const head = (id: string, bytes = 10, sourceId = "dc_1") =>
  ({ id, sourceId, userId: "u_1", type: "SUBSCRIPTION", bytes, at: 1, crashes: 0, hops: 1 }) as const;

test("the inbox of a source of another node has its limits, and is read again when it seems full", async () => {
  const memory = createMemoryStore();
  await memory.commit([addTrigger(exampleTrigger("waiting", { sourceId: "dc_1" }))]);
  const reads: PromiseWithResolvers<void>[] = [];
  const store = {
    async triggers(sourceId?: string) {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      const heads = await memory.triggers(sourceId);
      setImmediate(read.resolve);
      return heads;
    },
  };
  const own = createBacklog(limits);
  const shared = createSharedBacklog({ own, limits, store, isHeld: () => false });
  for (const id of ["1", "2", "3", "4"]) {
    expect(shared.findExcess(head(id))).toBeUndefined();
    shared.add(head(id));
  }
  expect(shared.findExcess(head("5"))).toEqual({ limit: "4 triggers", got: "5" });
  await reads[0]?.promise;
  // Three of them have run.
  expect(shared.findExcess(head("5"))).toBeUndefined();
  expect(shared.findExcess(head("5", 2_000))).toMatchObject({ limit: "1000 bytes" });
  expect(own.isEmpty("dc_1")).toBe(true);
});

test("the inbox of a source of this node is counted as ever", () => {
  const own = createBacklog(limits);
  const store = { triggers: () => Promise.reject(new Error("not read")) };
  const shared = createSharedBacklog({ own, limits, store, isHeld: () => true });
  for (const id of ["1", "2", "3", "4"]) shared.add(head(id));
  expect([own.depthOf("dc_1"), shared.findExcess(head("5"))?.got]).toEqual([4, "5"]);
  shared.remove(head("1"));
  expect(own.depthOf("dc_1")).toBe(3);
});
