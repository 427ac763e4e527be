import { HarnessError } from "../harness-error.ts";
import type { Answer } from "../traffic/request-line.ts";
import { differences, explainDifferences, written } from "./partial-match.ts";
import { toldGiven, type Verdict, verdict } from "./received.ts";

/** What an answer is compared by. */
export interface AnswerLike {
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: unknown };
  readonly body?: unknown;
}

/** The answer to a request: its status, or also headers and body. */
export function toHaveRespondedWith(given: unknown, expected: number | AnswerLike, body?: unknown): Verdict {
  if (typeof given !== "object" || given === null || !("status" in given) || !("headers" in given))
    throw new HarnessError(
      `expect(…).toHaveRespondedWith takes the answer of request(), got ${toldGiven(given)}. Write expect(await source.request("POST /")).`,
    );
  const { status, headers, body: got, error } = given as Answer;
  const like = typeof expected === "number" ? { status: expected, ...(body !== undefined && { body }) } : expected;
  const found = differences(like, { status, headers, body: got });
  return verdict(found.length === 0, () => [
    found.length === 0
      ? `Expected another answer than ${written(like)}.`
      : `The answer is not as expected:\n${explainDifferences(found)
          .map((line) => `  ${line}`)
          .join("\n")}`,
    `It was ${status} ${written(got, 400)}`,
    ...(error ? [`because ${error.entry} threw ${error.stack}`] : []),
  ]);
}
