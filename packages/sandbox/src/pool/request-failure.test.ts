import { expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { requestFailure } from "./request-failure.ts";

const coded = (message: string, fields: object): Error => Object.assign(new Error(message), fields);
const failed = (cause: unknown): XError => new XError("network_failed", ["https://a.test/", "why"], { cause });
const ours = "Request to https://a.test/ failed: why.";

test("a system error keeps its message and fields", () => {
  const cause = coded("getaddrinfo ENOTFOUND a.test", {
    code: "ENOTFOUND",
    errno: -3008,
    syscall: "getaddrinfo",
    hostname: "a.test",
    secret: "x",
  });
  const { message, ...fields } = cause as Error & object;
  expect(requestFailure(failed(cause))).toEqual({ message, ...fields, secret: undefined });
});

test("of the failures of several addresses the first is reported", () => {
  const [first, second] = ["::1", "127.0.0.1"].map((address) =>
    coded(`connect ECONNREFUSED ${address}:2`, { code: "ECONNREFUSED", address, port: 2 }),
  );
  const all = new AggregateError([first, second]);
  expect(requestFailure(failed(all))).toMatchObject({ message: "connect ECONNREFUSED ::1:2", port: 2 });
});

test("a system error without a message gets the runtime's, with its own code", () => {
  expect(requestFailure(failed(coded("", { code: "ETIMEDOUT" })))).toEqual({ message: ours, code: "ETIMEDOUT" });
});

test("other errors get the runtime's message and code", () => {
  expect(requestFailure(failed(new Error("anything")))).toEqual({ message: ours, code: "network_failed" });
  const refused = new XError("address_forbidden", ["a.test", "it is on the deny list"]);
  expect(requestFailure(refused)).toMatchObject({ code: "address_forbidden", message: expect.stringMatching("deny") });
  expect(requestFailure("text")).toEqual({ message: "text", code: "network_failed" });
});
