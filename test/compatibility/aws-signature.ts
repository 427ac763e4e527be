import { createHash, createHmac } from "node:crypto";

import type { UpstreamRequest } from "./scenario.ts";

const hash = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Parts of an address that the signature has in order, encoded as it wants them. */
function canonicalQuery({ searchParams }: URL): string {
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const pairs = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.toSorted().join("&");
}

/** True when the AWS signature (version 4) matches the received request. */
export function isSigned(request: UpstreamRequest, secret: string): boolean {
  const url = new URL(request.url);
  const given = request.headers["authorization"] ?? "";
  const [, scope = "", signed = "", signature = ""] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(given) ?? [];
  const [date = "", region = "", service = ""] = scope.split("/");
  const values: { readonly [name: string]: string | undefined } = { ...request.headers, host: url.host };
  const headers = signed.split(";").map((name) => `${name}:${values[name]?.trim()}\n`);
  const content = request.headers["x-amz-content-sha256"] ?? hash(request.body);
  const canonical = [request.method, url.pathname, canonicalQuery(url), headers.join(""), signed, content].join("\n");
  const text = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, hash(canonical)].join("\n");
  const keyOf = [date, region, service, "aws4_request"];
  const key = keyOf.reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`);
  return (
    hmac(key, text).toString("hex") === signature && (content === hash(request.body) || content === "UNSIGNED-PAYLOAD")
  );
}
