import { expect, test } from "vitest";

import { appHooksOf, isAppHook } from "./app-hooks.ts";

const hook = { event_names: ["message"], endpoint_url: null };

test("a hook belongs to the app of the prop that it names, or to the app itself", () => {
  const props = [
    { name: "team", type: "app", app: "slack" },
    { name: "byProp", type: "$.interface.apphook", appProp: "team" },
    { name: "bySlug", type: "$.interface.apphook", appProp: "slack" },
    { name: "http", type: "$.interface.http" },
  ];
  const configured = {
    team: { authProvisionId: "apn_1" },
    byProp: hook,
    bySlug: { event_names: [], endpoint_url: "https://x.test/in/k" },
    http: { endpoint_url: "https://x.test/in/h" },
  };
  expect(appHooksOf(configured, props)).toEqual([
    { prop: "byProp", app: "slack", names: ["message"], url: null, account: "apn_1" },
    { prop: "bySlug", app: "slack", names: [], url: "https://x.test/in/k", account: "apn_1" },
  ]);
});

test("a hook without an account says so", () => {
  const props = [
    { name: "slack", type: "app", app: "slack" },
    { name: "hook", type: "$.interface.apphook", appProp: "slack" },
  ];
  for (const slack of [undefined, null, {}])
    expect(appHooksOf({ hook, ...(slack !== undefined && { slack }) }, props)).toMatchObject([{ account: null }]);
});

test("an endpoint of an HTTP prop is no hook", () => {
  expect([hook, { endpoint_url: "https://x.test/in/h" }, "text", null].map(isAppHook)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
