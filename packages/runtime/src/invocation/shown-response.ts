import { isUtf8 } from "node:buffer";

import type { Json } from "@x/model";
import type { GuestResponse } from "@x/sandbox";

/** Most bytes of a body that are shown: a body may be much larger. */
const maxBytes = 4 * 1024 * 1024;
/** The same for bytes that are no UTF-8: nobody reads them, and each may become three bytes. */
const maxOther = 64 * 1024;

/** A repeated name has a list of its values. */
export function showHeaders(headers: Iterable<readonly [string, string]>): { readonly [name: string]: Json } {
  const shown = new Map<string, string | string[]>();
  for (const [name, value] of headers) {
    const before = shown.get(name);
    if (Array.isArray(before)) before.push(value);
    else shown.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(shown);
}

/** The bytes without the last character, when it has more than one byte: it may be incomplete. */
function withoutLast(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > Math.max(0, bytes.length - 3) && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return (bytes[end - 1] ?? 0) < 0x80 ? bytes : bytes.subarray(0, end - 1);
}

function showBody(body: Uint8Array): string {
  const isText = isUtf8(body.byteLength <= maxBytes ? body : withoutLast(body.subarray(0, maxBytes)));
  const most = isText ? maxBytes : maxOther;
  if (body.byteLength <= most) return new TextDecoder().decode(body);
  // The last character may be incomplete.
  return `${new TextDecoder().decode(body.subarray(0, most), { stream: true })}…`;
}

/** The response of a component as its execution shows it. */
export const showResponse = ({ status, headers, body }: GuestResponse): Json => ({
  status,
  headers: showHeaders(headers),
  body: showBody(body),
});
