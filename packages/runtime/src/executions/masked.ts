import type { SecretMask, TextMask } from "../invocation/secrets/secret-mask.ts";
import { showHeaders } from "../invocation/shown-response.ts";
import { atOnce, cutText, type Json, type RecordedBody } from "@x/model";
import type { TracedBody } from "../invocation/run-trace.ts";
import { type RecordBounds, type Room, slack, traceBounds } from "./record-bounds.ts";

/** A masked text of at most `most` characters. `isCut`: it was cut before, perhaps within a secret. */
function maskedText(text: string, mask: TextMask, most: number, isCut: boolean): string {
  const masked = mask.text(text);
  const whole = isCut ? masked.slice(0, Math.max(0, masked.length - slack)) : masked;
  return isCut && whole.length <= most ? `${whole}…` : cutText(whole, most);
}

/** A masked text of a trace, which has at most `kept` characters of it. */
export const maskedTrace = (text: string, mask: TextMask, most: number, kept: number): string =>
  maskedText(text, mask, most, text.length > kept);

/** Masks JSON text at once; long ones are masked in steps. */
export const maskedJson = (json: string, mask: SecretMask): string => atOnce(mask.json(json));

/** Headers whose values are credentials, whether or not the runtime knows them. */
const credentialHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "set-cookie",
  "x-api-key",
]);
const hidden = "***";

/** Masked headers by lower-case name, a repeated one as a list; without those that exceed the bounds. */
export function maskedHeaders(
  headers: readonly (readonly [string, string])[],
  mask: TextMask,
  { headers: most }: Pick<RecordBounds, "headers">,
): { readonly [name: string]: Json } {
  const shown: (readonly [string, string])[] = [];
  let room = most;
  for (const [given, value] of headers) {
    const name = mask.text(given.toLowerCase());
    const isHidden = credentialHeaders.has(given.toLowerCase());
    const text = isHidden ? hidden : maskedTrace(value, mask, most, traceBounds.headerChars);
    room -= name.length + text.length;
    if (room < 0) break;
    shown.push([name, text]);
  }
  return showHeaders(shown);
}

const exactText = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; undefined if they are not UTF-8. The last character of a cut text may be incomplete. */
function findText(bytes: Uint8Array, isCut: boolean): string | undefined {
  for (let end = bytes.length; end >= bytes.length - (isCut ? 3 : 0) && end >= 0; end--) {
    try {
      return exactText.decode(bytes.subarray(0, end));
    } catch {
      // A shorter one may be complete.
    }
  }
  return undefined;
}

/** A masked body, within the bounds; undefined for an empty one. */
export function maskedBody(
  { bytes, head }: TracedBody,
  mask: TextMask,
  room: Room,
  { body: most }: Pick<RecordBounds, "body">,
): RecordedBody | undefined {
  if (bytes === 0) return undefined;
  const allowed = Math.min(most, room.left);
  if (!head || allowed === 0) return { truncated: true };
  const isHead = head.length < bytes;
  const text = findText(head, isHead);
  // Of base64 only whole groups of four characters can be decoded.
  const limit = text === undefined ? allowed - (allowed % 4) : allowed;
  const shown = maskedText(text ?? Buffer.from(head).toString("base64"), mask, limit, isHead);
  room.left -= Math.min(shown.length, room.left);
  const isCut = isHead || shown.length > limit;
  return {
    ...(text === undefined ? { base64: shown.replace(/…$/, "") } : { text: shown }),
    ...(isCut && { truncated: true as const }),
  };
}
