import type { ProjectResource } from "@x/runtime";
import { expect, test } from "vitest";

import { parseConfig } from "./config.ts";
import type { Found } from "./found.ts";
import { type Plan, planChanges } from "./plan.ts";

const nothing: Found = {
  accounts: [],
  webhooks: [],
  sources: [],
  subscriptions: [],
  workflows: [],
  project: { revision: 0, resources: [] },
  owners: new Map(),
  differences: new Map(),
  sameCredentials: new Set(),
  endpoints: [],
  sameEndpoints: new Set(),
};
const config = parseConfig(
  {
    project: "shop",
    sources: { orders: { file: "orders.js" }, bills: { key: "bills" } },
    webhooks: { archive: { url: "http://a" } },
    subscriptions: [
      { from: "orders", to: "archive", stream: "default" },
      { from: "dc_*", to: "archive" },
    ],
  },
  "x.config.json",
);
const archive = { id: "wh_1", name: "archive", url: "http://a", description: null, format: "event" };
const orders = { id: "dc_1", name_slug: "orders" };
const resource = (kind: ProjectResource["kind"], name: string, id: string | null, made = true): ProjectResource => ({
  kind,
  name,
  id,
  made,
  fingerprint: null,
});
const lines = ({ steps }: Plan): string[] => steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

test("on an empty service everything is made, in the order of its uses, and announced before", () => {
  const plan = planChanges(config, nothing);
  expect(lines(plan)).toEqual([
    "create webhook archive",
    "create source orders",
    "create source bills",
    "create subscription orders -> archive default",
    "create subscription dc_* -> archive",
  ]);
  expect(plan.intents?.map(({ id, made }) => [id, made])).toEqual(Array.from({ length: 5 }, () => [null, true]));
  expect([plan.problems, plan.recordChanges]).toEqual([[], true]);
});

test("a workflow is an end of a subscription by its name slug, its name or its id", () => {
  const flow = { id: "p_1", name: "Nightly report", name_slug: "nightly-report" };
  const subscription = { id: "sub_1", emitter_id: "dc_1", listener_id: "p_1", event_name: "" };
  const found = { ...nothing, sources: [orders], workflows: [flow], subscriptions: [subscription] };
  for (const to of ["nightly-report", "Nightly report", "p_1"]) {
    const wanted = { project: "shop", subscriptions: [{ from: "orders", to }] };
    expect([to, planChanges(parseConfig(wanted, "x.config.json"), found).steps]).toEqual([to, []]);
  }
  const wanted = { project: "shop", subscriptions: [{ from: "orders", to: "weekly-report" }] };
  expect(planChanges(parseConfig(wanted, "x.config.json"), found).problems).toEqual([
    'subscription orders -> weekly-report: no source, webhook or workflow has the id or name "weekly-report"',
  ]);
});

test("what an interrupted apply has announced and made counts as made; the rest is not announced again", () => {
  const announced = planChanges(config, nothing).intents ?? [];
  const found = { ...nothing, webhooks: [archive], sources: [orders], project: { revision: 1, resources: announced } };
  const plan = planChanges(config, found);
  expect(lines(plan)).toEqual([
    "create source bills",
    "create subscription orders -> archive default",
    "create subscription dc_* -> archive",
  ]);
  expect(plan.intents).toBeUndefined();
  expect(plan.record.slice(0, 2)).toEqual([
    resource("webhook", "archive", "wh_1"),
    resource("source", "orders", "dc_1"),
  ]);
  // Without them in the config, what was made is removed, and what was only announced is forgotten.
  const empty = planChanges(parseConfig({ project: "shop" }, "x.config.json"), found);
  expect(lines(empty)).toEqual(["remove source orders", "remove webhook archive"]);
  expect(empty.record).toEqual([]);
});

test("what somebody else has made under a name is used, and is not the project's to remove", () => {
  const recorded = [resource("source", "orders", "dc_gone"), resource("webhook", "archive", "wh_1", false)];
  const found = { ...nothing, webhooks: [archive], sources: [orders], project: { revision: 3, resources: recorded } };
  const { record } = planChanges(config, found);
  expect(record.slice(0, 2).map(({ id, made }) => [id, made])).toEqual([
    ["wh_1", false],
    ["dc_1", false],
  ]);
  expect(lines(planChanges(parseConfig({ project: "shop" }, "x.config.json"), found))).toEqual([]);
});

test("the default stream has two names, and a subscription under either is the same", () => {
  const subscription = { id: "sub_1", emitter_id: "dc_1", listener_id: "wh_1", event_name: "" };
  const found = { ...nothing, webhooks: [archive], sources: [orders], subscriptions: [subscription] };
  expect(lines(planChanges(config, found))).not.toContain("create subscription orders -> archive default");
});
