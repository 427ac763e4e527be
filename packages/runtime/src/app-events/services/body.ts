import { createHash } from "node:crypto";

import { isRecord } from "@x/components";
import type { Json } from "@x/model";
import type { ReadableRequest } from "./service.ts";

export type Fields = { readonly [name: string]: Json };

/** JSON text as an object; undefined when it is none. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const bodyText = ({ request }: ReadableRequest): string => Buffer.from(request.body).toString("utf8");

/** The JSON object of the body. */
export const bodyObject = (request: ReadableRequest): Fields | undefined => parseObject(bodyText(request));

/** The fields of a form; undefined for other bodies. */
export function formFields(request: ReadableRequest): { readonly [name: string]: string } | undefined {
  const type = header(request, "content-type") ?? "";
  return /^application\/x-www-form-urlencoded\b/i.test(type)
    ? Object.fromEntries(new URLSearchParams(bodyText(request)))
    : undefined;
}

/** The first value of a header, by its name in lower case. */
export const header = ({ request }: ReadableRequest, name: string): string | undefined =>
  request.headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** A member of nested objects as text; undefined for others. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  );
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** An id for services that give none. */
export const bodyHash = ({ request }: ReadableRequest): string =>
  createHash("sha256").update(request.body).digest("hex");

/** The texts that are there, each once. */
export const present = (...texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined)),
];
