import type { Kit } from "../kit.ts";

/** What a key says of itself. */
export interface KeyFacts {
  readonly type: "secret" | "public" | "private";
  readonly algorithm: Readonly<Record<string, unknown>>;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

/** A key as the host gives it; `bytes` in base64. */
export interface KeyFromHost extends KeyFacts {
  readonly bytes: string;
}

/** A key as the host takes it. */
export type KeyContent = readonly [facts: KeyFacts, bytes: Uint8Array];

const contents = new WeakMap<object, KeyContent>();
/** Only this file makes keys. */
const token = {};

/** A key of the Web Cryptography API; its bytes stay out of its author's reach unless it is extractable. */
export class CryptoKey {
  readonly #facts: KeyFacts;

  constructor(given: unknown, facts?: KeyFacts) {
    if (given !== token || !facts) throw new TypeError("Illegal constructor");
    this.#facts = facts;
  }

  get type(): string {
    return this.#facts.type;
  }
  get extractable(): boolean {
    return this.#facts.extractable;
  }
  get algorithm(): object {
    return this.#facts.algorithm;
  }
  get usages(): readonly string[] {
    return this.#facts.usages;
  }
  get [Symbol.toStringTag](): string {
    return "CryptoKey";
  }
}

export const contentOf = (key: unknown): KeyContent | undefined =>
  typeof key === "object" && key !== null ? contents.get(key) : undefined;

export function keyContent(key: unknown): KeyContent {
  const content = contentOf(key);
  if (!content) throw new TypeError("A key is a CryptoKey");
  return content;
}

export function makeKey(kit: Kit, { bytes, ...facts }: KeyFromHost): CryptoKey {
  const { publicExponent } = facts.algorithm as { publicExponent?: number[] };
  const algorithm = publicExponent
    ? { ...facts.algorithm, publicExponent: new Uint8Array(publicExponent) }
    : facts.algorithm;
  const key = new CryptoKey(token, { ...facts, algorithm });
  contents.set(key, [facts, Uint8Array.from(kit.atob(bytes), (letter) => letter.charCodeAt(0))]);
  return key;
}
