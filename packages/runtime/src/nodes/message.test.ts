import { expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { decodeAnswer, decodeQuestion, encodeAnswer, encodeError, encodeQuestion, restoreError } from "./message.ts";

test("a question and its answer keep bytes, absent values and unfinished numbers", () => {
  const args = [new Uint8Array([0, 255]), undefined, { a: new Map([["k", Number.NaN]]) }];
  const question = { to: "dc_1", method: "invoke", args, userId: "u_1" };
  expect(decodeQuestion(encodeQuestion(question))).toEqual(question);
  expect(decodeAnswer(encodeAnswer({ value: undefined }))).toEqual({ value: undefined });
});

test("an error keeps its code, text and details", () => {
  const error = new XError("not_found", ["source", "dc_1"], { details: { parameter: "id" } });
  const answer = decodeAnswer(encodeError(error));
  const restored = "error" in answer ? restoreError(answer.error) : undefined;
  expect(restored).toMatchObject({ code: "not_found", message: error.message, details: { parameter: "id" } });
  expect([XError.is(restored), restored?.name, String(restored)]).toEqual([true, error.name, String(error)]);
});

test("an unexpected error does not leave its node, nor do details that cannot", () => {
  expect(decodeAnswer(encodeError(new Error("secret")))).toEqual({
    error: { code: "internal", message: "Internal error.", details: {} },
  });
  const odd = new XError("closed", [], { details: { call: () => undefined } });
  expect(decodeAnswer(encodeError(odd))).toMatchObject({ error: { code: "closed", details: {} } });
});
