import type { Kit } from "../kit.ts";

const numbers = ["modulusLength", "length", "saltLength", "tagLength", "iterations"];
/** Members that hold bytes: the first two are where a cipher starts, the next two what it adds. */
const sources = ["iv", "counter", "label", "additionalData", "salt", "info", "publicExponent"];

/** An algorithm without its bytes, which cross the wall beside it. */
export interface Algorithm {
  readonly plain: Record<string, unknown> & { readonly name: string };
  readonly bytes: Readonly<Record<string, Uint8Array | undefined>>;
  readonly publicKey: unknown;
}

export function bytesOf(kit: Kit, source: unknown, what: string): Uint8Array {
  const bytes = kit.viewBytes(source);
  if (!bytes) throw new TypeError(`${what} is an ArrayBuffer or a view of one`);
  return bytes.slice();
}

function nameOf(given: unknown): string {
  const name: unknown = typeof given === "object" && given !== null ? (given as { name?: unknown }).name : given;
  if (name === undefined || given === null) throw new TypeError("An algorithm has a name");
  return String(name);
}

/** Reads an algorithm once, as it is now. */
export function readAlgorithm(kit: Kit, given: unknown): Algorithm {
  const members = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const plain: Record<string, unknown> = {};
  const bytes: Record<string, Uint8Array> = {};
  for (const name of numbers) if (members[name] !== undefined) plain[name] = Number(members[name]);
  for (const name of sources) if (members[name] !== undefined) bytes[name] = bytesOf(kit, members[name], name);
  if (members["hash"] !== undefined) plain["hash"] = nameOf(members["hash"]);
  if (members["namedCurve"] !== undefined) plain["namedCurve"] = String(members["namedCurve"]);
  if (bytes["publicExponent"]) plain["publicExponent"] = [...bytes["publicExponent"]];
  return { plain: { ...plain, name: nameOf(given) }, bytes, publicKey: members["public"] };
}
