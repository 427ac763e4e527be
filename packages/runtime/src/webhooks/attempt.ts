import { monotonicMs, type Clock, type DeliveryAttempt, type QueuedDelivery, type Webhook } from "@x/model";
import type { Observer, Tracing } from "../observe/contract.ts";
import type { TextMask } from "../invocation/secrets/secret-mask.ts";
import { deliveryResponse } from "./attempt-response.ts";
import { tracedPost } from "./traced-post.ts";
import type { Poster, PostReply } from "./contract.ts";
import { deliveryBody, deliveryHeaders } from "./webhook.ts";

/** One finished attempt to deliver. */
export interface Attempted {
  /** Undefined: the receiver did not answer. */
  readonly reply: PostReply | undefined;
  readonly attempt: DeliveryAttempt;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export interface AttemptParts {
  readonly post: Poster["post"];
  readonly clock: Pick<Clock, "now">;
  readonly observer: Pick<Observer, "working">;
  readonly tracing?: Tracing | undefined;
  /** Hides the secrets of an emitter. */
  maskOf(emitterId: string): Promise<TextMask>;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/** Makes one attempt; never rejects. */
export async function attemptDelivery(
  delivery: QueuedDelivery,
  webhook: Webhook,
  { post, clock, observer, tracing, maskOf, signal }: AttemptParts,
): Promise<Attempted> {
  const { emitterId } = delivery;
  observer.working("the begin of a delivery", emitterId);
  const at = clock.now();
  const start = monotonicMs();
  const attempt = { at, httpStatus: null, error: null };
  const body = deliveryBody(delivery, webhook);
  const headers = deliveryHeaders(delivery, webhook, body, at);
  try {
    const reply = await tracedPost(
      delivery,
      post,
      tracing,
    )({ url: webhook.url, headers, body }, signal).finally(() => observer.working("the end of a delivery", emitterId));
    const durationMs = monotonicMs() - start;
    const { status: httpStatus } = reply;
    const error = isSuccess(httpStatus) ? null : `the receiver answered ${httpStatus}`;
    const response = deliveryResponse(reply, webhook, await maskOf(emitterId));
    return { reply, attempt: { ...attempt, httpStatus, error, durationMs, response } };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { reply: undefined, attempt: { ...attempt, error: problem, durationMs: monotonicMs() - start } };
  }
}
