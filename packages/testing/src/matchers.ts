import { type DroppedLike, toHaveDeduped } from "./matchers/deduped.ts";
import { type EmitFilter, toHaveEmitted, toHaveEmittedTimes } from "./matchers/emitted.ts";
import { type LimitName, toExceedLimit } from "./matchers/exceeded-limit.ts";
import { toHaveRunHooks } from "./matchers/ran-hooks.ts";
import { type RequestedLike, toHaveRequested } from "./matchers/requested.ts";
import { type AnswerLike, toHaveRespondedWith } from "./matchers/responded.ts";
import type { EntryName } from "./records.ts";

/** The matchers of this package, for `expect.extend`; importing `@x/testing/vitest` does that. */
export const matchers: {
  readonly toHaveEmitted: typeof toHaveEmitted;
  readonly toHaveEmittedTimes: typeof toHaveEmittedTimes;
  readonly toHaveDeduped: typeof toHaveDeduped;
  readonly toHaveRequested: typeof toHaveRequested;
  readonly toHaveRespondedWith: typeof toHaveRespondedWith;
  readonly toHaveRunHooks: typeof toHaveRunHooks;
  readonly toExceedLimit: typeof toExceedLimit;
} = {
  toHaveEmitted,
  toHaveEmittedTimes,
  toHaveDeduped,
  toHaveRequested,
  toHaveRespondedWith,
  toHaveRunHooks,
  toExceedLimit,
};

/** The matchers as tests call them. Expected values are partial: fields that are not named do not matter. */
export interface SourceMatchers<R> {
  /** A list: exactly these events in this order; one value: at least one such event; nothing: any event at all. */
  toHaveEmitted(expected?: unknown, filter?: EmitFilter): R;
  toHaveEmittedTimes(times: number, filter?: EmitFilter): R;
  /** Events that dedupe dropped: how many, exactly which, one such, or any. */
  toHaveDeduped(expected?: number | DroppedLike | readonly DroppedLike[]): R;
  /** A request to an upstream: `GET https://api.example.test/items`, or `GET /items` at any host. */
  toHaveRequested(line: string, expected?: number | RequestedLike): R;
  /** The answer of `request()`. */
  toHaveRespondedWith(expected: number | AnswerLike, body?: unknown): R;
  toHaveRunHooks(expected: readonly EntryName[]): R;
  /** Await it: `await expect(source.run()).toExceedLimit("time")`. Without a name any limit counts. */
  toExceedLimit(limit?: LimitName): Promise<void>;
}
