import { type Clock, monotonicMs } from "../process/clock.ts";
import type { DeliveryAttempt, QueuedDelivery, Webhook } from "../model/listener-model.ts";
import type { Poster, PostReply } from "./contract.ts";
import { nextAttemptAt } from "./retry.ts";
import { deliveryBody, deliveryHeaders } from "./webhook.ts";

/** An attempt to deliver that has ended. */
export interface Ended {
  /** Absent when the receiver said nothing. */
  readonly reply: PostReply | undefined;
  readonly attempt: DeliveryAttempt;
}

const gone = 410;
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export interface AttemptParts {
  readonly post: Poster["post"];
  readonly clock: Pick<Clock, "now">;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Makes one attempt; never rejects. */
export async function attemptDelivery(
  delivery: QueuedDelivery,
  webhook: Webhook,
  { post, clock, signal }: AttemptParts,
): Promise<Ended> {
  const at = clock.now();
  const start = monotonicMs();
  const attempt = { at, httpStatus: null, error: null };
  const body = deliveryBody(delivery, webhook);
  const headers = deliveryHeaders(delivery, webhook, body, at);
  try {
    const reply = await post({ url: webhook.url, headers, body }, signal);
    const error = isSuccess(reply.status) ? null : `the receiver answered ${reply.status}`;
    return { reply, attempt: { ...attempt, httpStatus: reply.status, error, durationMs: monotonicMs() - start } };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { reply: undefined, attempt: { ...attempt, error: problem, durationMs: monotonicMs() - start } };
  }
}

/** What becomes of a delivery after an attempt. */
export type AfterAttempt =
  | { readonly status: "delivered" }
  | { readonly status: "pending"; readonly nextAt: number }
  /** `problem`: of the last attempt. */
  | { readonly status: "dead"; readonly problem: string; readonly isGone: boolean };

export interface RetryRules {
  readonly now: number;
  /** Milliseconds before each attempt. */
  readonly schedule: readonly number[];
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** `made`: attempts, with the one that has ended. A receiver that is gone for good ends its deliveries. */
export function afterAttempt({ reply, attempt }: Ended, made: number, rules: RetryRules): AfterAttempt {
  const { error: problem } = attempt;
  if (problem === null) return { status: "delivered" };
  if (reply?.status === gone) return { status: "dead", problem, isGone: true };
  const { now, schedule, random } = rules;
  const nextAt = nextAttemptAt({ made, now, retryAfter: reply?.retryAfter, schedule, random: random() });
  return nextAt === undefined ? { status: "dead", problem, isGone: false } : { status: "pending", nextAt };
}
