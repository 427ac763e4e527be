import type { AppEndpoint } from "@x/client";
import { expect, test } from "vitest";

import { bodyOf, byCode, draftOf, parametersOf } from "./endpoint-draft.ts";

const endpoint: AppEndpoint = {
  app: "slack",
  endpoint_url: "https://x.test/in/k",
  service: "slack",
  scheme: "slack",
  parameters: { tolerance: 60 },
  secrets: 1,
  reader: "slack",
  all_users: true,
  sources: 0,
  steps: [],
  created_at: 1,
  updated_at: 1,
};

test("an endpoint that is not changed is sent as it was, with the stored secrets", () => {
  expect(bodyOf(draftOf("slack", endpoint, "keep"))).toEqual({
    service: "slack",
    scheme: "slack",
    tolerance: 60,
    secret: { __secret: true },
    all_users: true,
  });
});

test("a secret replaces those that are stored, or is added to them", () => {
  const draft = { ...draftOf("slack", endpoint, "replace"), secret: " new\n" };
  expect(bodyOf(draft).secret).toBe("new");
  expect(bodyOf({ ...draft, secretUse: "add" }).secret).toEqual(["new", { __secret: true }]);
});

test("a new endpoint has only what is filled in", () => {
  const draft = draftOf("slack", undefined, "keep");
  expect(bodyOf(draft)).toEqual({});
  expect(bodyOf({ ...draft, secret: "s" })).toEqual({ secret: "s" });
});

test("an endpoint that code reads names no service", () => {
  const custom = draftOf("acme", { ...endpoint, service: null, reader: "custom", scheme: "token" }, "keep");
  expect(custom.service).toBe(byCode);
  expect(bodyOf({ ...custom, code: "export default {}" })).not.toHaveProperty("service");
  expect(parametersOf(custom)).toEqual(["header", "query", "challenge", "verify_token", "tolerance"]);
});
