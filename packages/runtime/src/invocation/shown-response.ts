import type { Json } from "../model/model.ts";
import type { GuestResponse } from "../sandbox/contract.ts";

/** Most bytes of a body that are shown: a body may be much larger, and of bytes that are no text. */
const mostBytes = 4 * 1024 * 1024;

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

function showBody(body: Uint8Array): string {
  if (body.byteLength <= mostBytes) return new TextDecoder().decode(body);
  // The last character may be incomplete.
  return `${new TextDecoder().decode(body.subarray(0, mostBytes), { stream: true })}…`;
}

/** The response of a component as its execution shows it. */
export const showResponse = ({ status, headers, body }: GuestResponse): Json => ({
  status,
  headers: showHeaders(headers),
  body: showBody(body),
});
