import type { Kit } from "../kit.ts";

/** The public members of a key. */
export interface KeyMembers {
  readonly type: "secret" | "public" | "private";
  readonly algorithm: Readonly<Record<string, unknown>>;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

/** A key from the host; `bytes` in base64. */
export interface HostKey extends KeyMembers {
  readonly bytes: string;
}

/** A key for the host. */
export type KeyContent = readonly [members: KeyMembers, bytes: Uint8Array];

const contents = new WeakMap<object, KeyContent>();
/** Only code of this file can construct keys. */
const constructorKey = {};

/** A key of the Web Cryptography API; components cannot read its bytes unless it is extractable. */
export class CryptoKey {
  readonly #members: KeyMembers;

  constructor(given: unknown, members?: KeyMembers) {
    if (given !== constructorKey || !members) throw new TypeError("Illegal constructor");
    this.#members = members;
  }

  get type(): string {
    return this.#members.type;
  }
  get extractable(): boolean {
    return this.#members.extractable;
  }
  get algorithm(): object {
    return this.#members.algorithm;
  }
  get usages(): readonly string[] {
    return this.#members.usages;
  }
  get [Symbol.toStringTag](): string {
    return "CryptoKey";
  }
}

export const contentOf = (key: unknown): KeyContent | undefined =>
  typeof key === "object" && key !== null ? contents.get(key) : undefined;

export function keyContent(key: unknown): KeyContent {
  const content = contentOf(key);
  if (!content) throw new TypeError("A key must be a CryptoKey");
  return content;
}

export function makeKey(kit: Kit, { bytes, ...members }: HostKey): CryptoKey {
  const { publicExponent } = members.algorithm as { publicExponent?: number[] };
  const algorithm = publicExponent
    ? { ...members.algorithm, publicExponent: new Uint8Array(publicExponent) }
    : members.algorithm;
  const key = new CryptoKey(constructorKey, { ...members, algorithm });
  contents.set(key, [members, Uint8Array.from(kit.atob(bytes), (letter) => letter.charCodeAt(0))]);
  return key;
}
