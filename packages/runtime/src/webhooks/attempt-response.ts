import { maskedBody, maskedHeaders } from "../executions/masked.ts";
import { Room } from "../executions/record-bounds.ts";
import type { TextMask } from "../invocation/secrets/secret-mask.ts";
import type { DeliveryAttempt, DeliveryResponse, Webhook } from "@x/model";
import type { PostReply } from "./contract.ts";

/** Characters of the headers, and of the body, that are stored of an answer. */
const maxHeaders = 1_024;
const maxBody = 1_024;

/** Characters of all answers of a delivery together, as JSON; the newest is stored in any case. */
const maxResponses = 8 * 1_024;

/** Headers that help to understand an answer. */
const toldHeaders: ReadonlySet<string> = new Set([
  "cf-ray",
  "content-type",
  "location",
  "request-id",
  "retry-after",
  "server",
  "via",
  "www-authenticate",
  "x-amzn-requestid",
  "x-correlation-id",
  "x-request-id",
]);

/** Masks the signing keys of a webhook in addition to what `mask` hides. */
function withKeys(mask: TextMask, { signingKey, previousKeys }: Webhook): TextMask {
  const keys = [signingKey, ...previousKeys.map(({ key }) => key)].flatMap((key) => [key, key.replace(/^whsec_/, "")]);
  return { text: (text) => keys.reduce((left, key) => left.replaceAll(key, "***"), mask.text(text)) };
}

/** The beginning of a receiver's answer, for the store. */
export function deliveryResponse(
  { headers, body }: Pick<PostReply, "headers" | "body">,
  webhook: Webhook,
  mask: TextMask,
): DeliveryResponse {
  const hidden = withKeys(mask, webhook);
  const told = headers.filter(([name]) => toldHeaders.has(name.toLowerCase()));
  const shown = maskedBody(body, hidden, new Room(maxBody), { body: maxBody });
  return {
    headers: maskedHeaders(told, hidden, { headers: maxHeaders }),
    ...(shown && { body: shown }),
    bodyBytes: body.bytes,
  };
}

const withoutResponse = ({ response: _response, ...attempt }: DeliveryAttempt): DeliveryAttempt => attempt;

const sizeOf = ({ response }: DeliveryAttempt): number => (response ? JSON.stringify(response).length : 0);

/** Adds an attempt. The oldest ones lose what was answered: a delivery may be sent again any number of times. */
export function addAttempt(attempts: readonly DeliveryAttempt[], added: DeliveryAttempt): readonly DeliveryAttempt[] {
  let room = maxResponses - sizeOf(added);
  const kept = attempts.toReversed();
  for (const [index, attempt] of kept.entries()) {
    room -= sizeOf(attempt);
    if (room < 0 && attempt.response) kept[index] = withoutResponse(attempt);
  }
  return [...kept.toReversed(), added];
}
