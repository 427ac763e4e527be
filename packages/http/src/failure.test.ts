import { errorCatalogue, type ErrorCode, XError } from "@x/runtime";
import { expect, test } from "vitest";

import { failureAnswer } from "./failure.ts";

const silent = (): void => {};
const bodyOf = (error: unknown): unknown => JSON.parse(String(failureAnswer(error, silent).body));

test("every error code has the status of a failure", () => {
  expect(Object.values(errorCatalogue).every(({ status }) => status >= 400 && status < 600)).toBe(true);
});

test("failures of the service are reported, not shown", () => {
  const reported: unknown[] = [];
  const errors = [
    new Error("secret /var/file"),
    "text",
    undefined,
    new XError("store_failed", ["write /var/file", "disk"]),
  ];
  for (const error of errors) {
    const answer = failureAnswer(error, (cause) => reported.push(cause));
    expect(answer.status).toBe(500);
    expect(JSON.parse(String(answer.body))).toEqual({ error: "Internal error.", code: "internal", details: {} });
  }
  expect(reported).toEqual(errors);
});

test("an answer has the headers that its status needs", () => {
  const headers = (error: XError): object => Object.fromEntries(failureAnswer(error, silent).headers);
  expect(headers(new XError("unauthorized", []))).toMatchObject({ "www-authenticate": "Bearer" });
  expect(headers(new XError("queue_full", ["dc_1", "9 triggers", "10"]))).toMatchObject({ "retry-after": "1" });
  const allow = { details: { allow: "GET, HEAD" } };
  expect(headers(new XError("method_not_allowed", ["PUT", "GET"], allow))).toMatchObject({ allow: "GET, HEAD" });
});

test("texts, details and lists of problems are limited", () => {
  const errors = Array.from({ length: 5_000 }, (_, index) => ({ path: `/${index}`, message: "x".repeat(20_000) }));
  const error = new XError("invalid_props", ["a".repeat(50_000), "\ud83d".repeat(50_000)], { details: { errors } });
  const body = bodyOf(error) as { error: string; details: { errors: { message: string }[] } };
  expect(body.error.length).toBeLessThan(2_010);
  expect(body.details.errors).toHaveLength(100);
  expect(body.details.errors[0]?.message.length).toBeLessThan(16_010);
});

test("details that JSON cannot hold are omitted", () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const code: ErrorCode = "hook_failed";
  expect(bodyOf(new XError(code, ["deploy", "no"], { details: { loop } }))).toMatchObject({ code, details: {} });
});
