import type { Verification } from "@x/model";
import { isSecret, isSigned } from "./keys.ts";
import { schemeOf } from "./described-scheme.ts";
import type { SignatureScheme, TimePlace, TokenScheme } from "./scheme.ts";
import { requestParts, type RequestParts, type SignedRequest } from "./signed-request.ts";
import { signedText } from "./signed-text.ts";

/** Why a request is refused. Its sender does not learn it. */
export type Rejection =
  | "signature_missing"
  | "signature_mismatch"
  | "timestamp_missing"
  | "timestamp_outside"
  | "token_mismatch";

const isTime = /^\d{1,15}$/;

function timeProblem({ unit, tolerance }: TimePlace, text: string | undefined, now: number): Rejection | undefined {
  if (text === undefined || !isTime.test(text)) return "timestamp_missing";
  const at = Number(text) * (unit === "s" ? 1_000 : 1);
  return Math.abs(now - at) > tolerance * 1_000 ? "timestamp_outside" : undefined;
}

function verifySignature(
  scheme: SignatureScheme,
  parts: RequestParts,
  { secrets }: Verification,
  now: number,
): Rejection | undefined {
  const { texts: signatures, isRepeated } = parts.at(scheme.signature);
  if (isRepeated) return "signature_mismatch";
  if (signatures.length === 0) return "signature_missing";
  const times = scheme.time && parts.at(scheme.time);
  const [time] = times?.texts ?? [];
  if (times?.isRepeated) return "signature_mismatch";
  const late = scheme.time && timeProblem(scheme.time, time, now);
  if (late) return late;
  const text = signedText(scheme, parts, time ?? "");
  return text && isSigned(scheme, text, { signatures, secrets }) ? undefined : "signature_mismatch";
}

function verifyToken({ header, query }: TokenScheme, parts: RequestParts, secrets: readonly string[]): boolean {
  const search = new URLSearchParams(parts.request.search);
  const [token, ...more] = header === undefined ? search.getAll(query ?? "") : parts.headers(header);
  return token !== undefined && more.length === 0 && isSecret(token, secrets);
}

function verifyBasic(parts: RequestParts, secrets: readonly string[]): boolean {
  const [value, ...more] = parts.headers("authorization");
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(value ?? "") ?? [];
  if (encoded === undefined || more.length > 0) return false;
  return isSecret(Buffer.from(encoded, "base64").toString("utf8"), secrets);
}

/** The reason why a request does not prove who sent it, if it does not. `now`: epoch milliseconds. */
export function rejectionOf(request: SignedRequest, verification: Verification, now: number): Rejection | undefined {
  const scheme = schemeOf(verification);
  const parts = requestParts(request);
  const { secrets } = verification;
  switch (scheme?.kind) {
    case "signature":
      return verifySignature(scheme, parts, verification, now);
    case "token":
      return verifyToken(scheme, parts, secrets) ? undefined : "token_mismatch";
    case "basic":
      return verifyBasic(parts, secrets) ? undefined : "token_mismatch";
    case "none":
      return undefined;
    default:
      return "signature_mismatch";
  }
}
