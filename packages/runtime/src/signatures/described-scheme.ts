import type { SchemeParameters, Verification } from "@x/model";
import { type Scheme, type SignatureScheme, type TimePlace, usualTolerance } from "./scheme.ts";
import { findScheme } from "./schemes.ts";

function signatureWith(row: SignatureScheme, given: SchemeParameters): SignatureScheme {
  const { header = row.signature.header ?? "", item, timestamp, unit = "s", tolerance = usualTolerance } = given;
  const list = item === undefined ? {} : ({ separator: "," } as const);
  const prefix = item === undefined ? given.prefix : `${item}=`;
  const time: TimePlace | undefined =
    timestamp === undefined
      ? undefined
      : item === undefined
        ? { header: timestamp, unit, tolerance }
        : { header, ...list, prefix: `${timestamp}=`, unit, tolerance };
  return {
    ...row,
    signature: { header, ...list, ...(prefix !== undefined && { prefix }) },
    algorithm: given.algorithm ?? row.algorithm,
    encoding: given.encoding ?? row.encoding,
    signed: given.signed ?? row.signed,
    ...(time && { time }),
  };
}

const handshakeOf = ({ challenge }: SchemeParameters): Pick<Scheme, "handshake" | "challenge"> => {
  if (challenge === undefined) return {};
  return challenge === "hub" ? { handshake: "hub" } : { handshake: "query", challenge };
};

/** The row of a verification, with its parameters; undefined for a scheme that does not exist. */
export function schemeOf({ scheme, parameters = {} }: Verification): Scheme | undefined {
  const row = findScheme(scheme);
  if (!row) return undefined;
  if (scheme === "hmac") return { ...signatureWith(row as SignatureScheme, parameters), ...handshakeOf(parameters) };
  const { header, query, tolerance } = parameters;
  if (scheme === "token") {
    const place = header === undefined ? { query: query ?? "token" } : { header };
    return { kind: "token", ...place, ...handshakeOf(parameters) };
  }
  if (row.kind === "signature" && row.time && tolerance !== undefined)
    return { ...row, time: { ...row.time, tolerance } };
  return { ...row, ...handshakeOf(parameters) };
}

/** True where a request that passes has proved who sent it. */
export const proves = (verification: Verification): boolean => (schemeOf(verification)?.kind ?? "none") !== "none";
