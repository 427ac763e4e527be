import { expect, test } from "vitest";

import type { Change } from "../../../store/src/contract.ts";
import {
  exampleAccount,
  exampleSource,
  exampleUser,
  exampleWebhook,
  setValue,
} from "../../../store/src/conformance/examples.cases.ts";
import { staleAfter } from "./stale.ts";

const nothing = { users: false, listenersOf: [], webhooks: [], accounts: [] };
const subscription = { id: "sub_1", userId: "u_1", emitterId: "dc_1", listenerId: "dc_2", eventName: "", createdAt: 1 };
const owners = (): string[] => ["u_9"];

test.each<[string, Change, object]>([
  ["a user", { op: "user.put", user: exampleUser("u_1") }, { users: true }],
  ["a subscription", { op: "subscription.add", subscription }, { listenersOf: ["u_1"] }],
  ["a subscription that ends", { op: "subscription.delete", id: "sub_1" }, { listenersOf: ["u_9"] }],
  ["an auto-subscription that ends", { op: "auto_subscription.delete", id: "asub_1" }, { listenersOf: ["u_9"] }],
  ["a source that is deleted", { op: "source.delete", id: "dc_1" }, { listenersOf: ["u_9"] }],
  ["a webhook", { op: "webhook.put", webhook: exampleWebhook("wh_1") }, { webhooks: ["wh_1"] }],
  ["a webhook that is deleted", { op: "webhook.delete", id: "wh_1" }, { webhooks: ["wh_1"], listenersOf: ["u_9"] }],
  ["an account", { op: "account.put", account: exampleAccount("apn_1") }, { accounts: ["apn_1"] }],
  ["an account that is deleted", { op: "account.delete", id: "apn_1" }, { accounts: ["apn_1"] }],
])("%s is out of date in other nodes", (_what, change, stale) => {
  expect(staleAfter([setValue("dc_1", "k", "1"), change], owners)).toEqual({ ...nothing, ...stale });
});

test("the commit of a run makes nothing out of date, nor does a source that changes", () => {
  const changes: Change[] = [
    setValue("dc_1", "k", "1"),
    { op: "trigger.remove", id: "t" },
    { op: "source.put", source: exampleSource("dc_1") },
  ];
  expect(staleAfter(changes, owners)).toBeUndefined();
});
