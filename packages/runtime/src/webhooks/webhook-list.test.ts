import { createMatchingLists, createMemoryStore } from "@x/store";
import { expect, test } from "vitest";

import type { WebhookFilter } from "../api/api.ts";
import { exampleDelivery, exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { listWebhooks } from "./webhook-list.ts";

test("status selects webhooks, and reads few deliveries of those that may match", async () => {
  const inner = createMemoryStore();
  const failed = { at: 1, httpStatus: 500, durationMs: 1, error: "planned" };
  const webhooks = ["wh_fine", "wh_failing", "wh_paused", "wh_dead"];
  await inner.commit(
    webhooks.map((id) => ({ op: "webhook.put", webhook: exampleWebhook(id, { active: id !== "wh_paused" }) })),
  );
  const { userId } = exampleWebhook("wh_fine", {});
  await inner.commit(
    [
      exampleDelivery("dlv_1", { webhookId: "wh_failing", attempts: [failed] }),
      exampleDelivery("dlv_2", { webhookId: "wh_paused", attempts: [failed] }),
      exampleDelivery("dlv_3", { webhookId: "wh_dead", status: "dead", nextAttemptAt: null }),
    ].map((delivery) => ({ op: "delivery.add", delivery })),
  );
  const read: [string, unknown][] = [];
  const store: typeof inner = {
    ...inner,
    deliveries(id, page) {
      read.push([id, page.total]);
      return inner.deliveries(id, page);
    },
    deliveryCounts: () => Promise.reject(new Error("counts all deliveries")),
  };
  const list = async (status: WebhookFilter["status"]): Promise<readonly string[]> => {
    const parts = { store, lists: createMatchingLists() };
    return (await listWebhooks({ limit: 10 }, { ...(status && { status }) }, userId, parts)).items.map(({ id }) => id);
  };
  expect(await list("failing")).toEqual(["wh_failing"]);
  expect(read.map(([id]) => id)).toEqual(["wh_dead", "wh_failing", "wh_fine"]);
  expect(await list("dead")).toEqual(["wh_dead"]);
  expect(await list("pending")).toEqual(["wh_paused", "wh_failing"]);
  expect(await list("paused")).toEqual(["wh_paused"]);
  expect(read.every(([, total]) => total === false)).toBe(true);
  expect(read).toHaveLength(3 + 4 + 4);
});
