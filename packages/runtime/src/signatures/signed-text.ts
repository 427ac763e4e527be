import { createHash } from "node:crypto";

import type { SignatureScheme } from "./scheme.ts";
import type { RequestParts } from "./signed-request.ts";

/** Percent codes of a URL that HubSpot decodes before it signs. */
const plainCodes: { readonly [code: string]: string } = {
  "%3A": ":",
  "%2F": "/",
  "%3F": "?",
  "%40": "@",
  "%21": "!",
  "%24": "$",
  "%27": "'",
  "%28": "(",
  "%29": ")",
  "%2A": "*",
  "%2C": ",",
  "%3B": ";",
};

const plainUrl = (url: string): string =>
  url.replaceAll(/%[0-9A-F]{2}/gi, (code) => plainCodes[code.toUpperCase()] ?? code);

const isForm = ({ headers }: RequestParts): boolean =>
  headers("content-type").some((type) => /^application\/x-www-form-urlencoded\b/i.test(type));

/** The fields of a form, sorted by name: names and values in one text. A repeated pair counts once. */
function formText({ request }: RequestParts): string {
  const pairs = [...new URLSearchParams(Buffer.from(request.body).toString("utf8"))].map((pair) => pair.join("\0"));
  const fields = [...new Set(pairs)].map((pair) => pair.split("\0") as [string, string]);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return fields
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join(""))
    .join("");
}

/** What a form adds to the signed text. Another body is signed by its hash in the query; undefined when it is not that. */
function formOrHash(parts: RequestParts): string | undefined {
  const { body, search } = parts.request;
  if (body.byteLength === 0) return "";
  if (isForm(parts)) return formText(parts);
  const hash = createHash("sha256").update(body).digest("hex");
  return new URLSearchParams(search).get("bodySHA256")?.toLowerCase() === hash ? "" : undefined;
}

/** The parts of the signed text in their order; undefined when the request lacks one. `time`: as it was sent. */
export function signedText(
  { signed, id }: Pick<SignatureScheme, "signed" | "id">,
  parts: RequestParts,
  time: string,
): readonly (string | Uint8Array)[] | undefined {
  const { request } = parts;
  const valueOf = (name: string): string | Uint8Array | undefined => {
    if (name === "t") return time;
    if (name === "body") return request.body;
    if (name === "url") return request.url;
    if (name === "plainUrl") return plainUrl(request.url);
    if (name === "method") return request.method.toUpperCase();
    if (name === "form") return formOrHash(parts);
    if (name !== "id") return parts.member(name);
    const ids = parts.headers(id ?? "");
    return ids.length === 1 ? ids[0] : undefined;
  };
  const texts = signed.split(/\{([\w.]+)\}/).map((text, index) => (index % 2 === 0 ? text : valueOf(text)));
  return texts.includes(undefined) ? undefined : (texts as (string | Uint8Array)[]);
}
