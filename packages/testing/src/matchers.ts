import type { DroppedLike, EmitFilter } from "./matchers/events.ts";
import type { AnswerLike, RequestedLike } from "./matchers/http.ts";
import type { LimitName } from "./matchers/runs.ts";
import type { EntryName } from "./records.ts";

export { toHaveDeduped, toHaveEmitted, toHaveEmittedTimes } from "./matchers/events.ts";
export { toHaveRequested, toHaveRespondedWith } from "./matchers/http.ts";
export { toExceedLimit, toHaveRunHooks } from "./matchers/runs.ts";

/** The matchers as tests call them. Expected values are partial: other fields are ignored. */
export interface SourceMatchers<R> {
  /** A list: exactly these events in this order. A value: at least one matching event. Nothing: at least one event. */
  toHaveEmitted(expected?: unknown, filter?: EmitFilter): R;
  toHaveEmittedTimes(times: number, filter?: EmitFilter): R;
  /** A number: so many dropped events. A list: exactly these in this order. A value: at least one matching. Nothing: any. */
  toHaveDeduped(expected?: number | DroppedLike | readonly DroppedLike[]): R;
  /** A request to an upstream: `GET https://api.example.test/items`, or `GET /items` for any host. */
  toHaveRequested(line: string, expected?: number | RequestedLike): R;
  /** The answer of `request()`. */
  toHaveRespondedWith(expected: number | AnswerLike, body?: unknown): R;
  toHaveRunHooks(expected: readonly EntryName[]): R;
  /** Must be awaited: `await expect(source.run()).toExceedLimit("time")`. Default: any limit. */
  toExceedLimit(limit?: LimitName): Promise<void>;
}
