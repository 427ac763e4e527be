import type { Kit } from "../kit.ts";
import {
  contentOf,
  CryptoKey,
  type KeyContent,
  type HostKey,
  type KeyMembers,
  keyContent,
  makeKey,
} from "./crypto-key.ts";

interface Subtle {
  readonly CryptoKey: unknown;
  readonly SubtleCrypto: unknown;
  readonly subtle: object;
  contentOf(key: unknown): KeyContent | undefined;
}

const numbers = ["modulusLength", "length", "saltLength", "tagLength", "iterations"];
/** Members that hold bytes. */
const byteMembers = ["iv", "counter", "label", "additionalData", "salt", "info", "publicExponent"];

/** An algorithm; its bytes are sent to the host apart from its other members. */
interface Algorithm {
  readonly plain: Record<string, unknown> & { readonly name: string };
  readonly bytes: Readonly<Record<string, Uint8Array | undefined>>;
  readonly publicKey: unknown;
}

function bytesOf(kit: Kit, source: unknown, what: string): Uint8Array {
  const bytes = kit.viewBytes(source);
  if (!bytes) throw new TypeError(`${what} must be an ArrayBuffer or a view of one`);
  return bytes.slice();
}

function nameOf(given: unknown): string {
  const name: unknown = typeof given === "object" && given !== null ? (given as { name?: unknown }).name : given;
  if (name === undefined || given === null) throw new TypeError("An algorithm must have a name");
  return String(name);
}

/** Reads every member of an algorithm once. */
function readAlgorithm(kit: Kit, given: unknown): Algorithm {
  const members = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const plain: Record<string, unknown> = {};
  const bytes: Record<string, Uint8Array> = {};
  for (const name of numbers) if (members[name] !== undefined) plain[name] = Number(members[name]);
  for (const name of byteMembers) if (members[name] !== undefined) bytes[name] = bytesOf(kit, members[name], name);
  if (members["hash"] !== undefined) plain["hash"] = nameOf(members["hash"]);
  if (members["namedCurve"] !== undefined) plain["namedCurve"] = String(members["namedCurve"]);
  if (bytes["publicExponent"]) plain["publicExponent"] = [...bytes["publicExponent"]];
  return { plain: { ...plain, name: nameOf(given) }, bytes, publicKey: members["public"] };
}

const none = new Uint8Array(0);
const knownUsages = ["encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"];

function readUsages(given: unknown): string[] {
  const usages = Array.from(given as Iterable<unknown>, String);
  for (const usage of usages) if (!knownUsages.includes(usage)) throw new TypeError(`'${usage}' is not a key usage`);
  return usages;
}

const bufferOf = (bytes: unknown): ArrayBuffer => (bytes as Uint8Array<ArrayBuffer>).slice().buffer;

/** The host's functions with arguments of the API. */
const createOperations = (kit: Kit) => {
  const { askCrypto } = kit;
  const source = (given: unknown): Uint8Array => bytesOf(kit, given, "data");
  const read = (given: unknown): Algorithm => readAlgorithm(kit, given);

  function cipher(
    decrypt: boolean,
    usage: string,
    { plain, bytes }: Algorithm,
    key: KeyContent,
    data: Uint8Array,
  ): Uint8Array {
    const [start, added] = [bytes["iv"] ?? bytes["counter"], bytes["additionalData"] ?? bytes["label"]];
    const given = { algorithm: plain, key: key[0], usage, decrypt, hasAad: added !== undefined };
    return askCrypto("subtleEncrypt", given, [key[1], data, start ?? none, added ?? none]) as Uint8Array;
  }

  function derive(
    usage: string,
    { plain, bytes, publicKey }: Algorithm,
    key: KeyContent,
    length: number | null,
  ): Uint8Array {
    const [other, point]: readonly [KeyMembers?, Uint8Array?] = publicKey === undefined ? [] : keyContent(publicKey);
    const given = { algorithm: plain, key: key[0], usage, length, publicKey: other };
    const parts = [key[1], bytes["salt"] ?? none, bytes["info"] ?? none, point ?? none];
    return askCrypto("deriveBits", given, parts) as Uint8Array;
  }

  function importKey(
    format: string,
    data: unknown,
    algorithm: unknown,
    extractable: unknown,
    usages: unknown,
  ): CryptoKey {
    const isJwk = format === "jwk";
    if (isJwk !== (kit.viewBytes(data) === undefined) || typeof data !== "object" || data === null)
      throw new TypeError(isJwk ? "A key in JWK must be an object" : "A key must be an ArrayBuffer or a view of one");
    const given = {
      format,
      algorithm: read(algorithm).plain,
      extractable: Boolean(extractable),
      usages: readUsages(usages),
      jwk: isJwk ? data : undefined,
    };
    return makeKey(kit, askCrypto("importCryptoKey", given, [isJwk ? none : source(data)]) as HostKey);
  }

  function exportKey(format: unknown, key: KeyContent): unknown {
    return askCrypto("exportCryptoKey", { format: String(format), key: key[0] }, [key[1]]);
  }

  return { cipher, derive, exportKey, importKey, read, source };
};

/** The Web Cryptography API: arguments and keys are here; the host computes. */
export default (kit: Kit): Subtle => {
  const { askCrypto, askGenerate } = kit;
  const { cipher, derive, exportKey, importKey, read, source } = createOperations(kit);

  // Async methods, so that exceptions reject.
  class SubtleCrypto {
    get [Symbol.toStringTag](): string {
      return "SubtleCrypto";
    }
    async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
      return bufferOf(askCrypto("subtleDigest", { algorithm: read(algorithm).plain.name }, [source(data)]));
    }
    async sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      const [facts, bytes] = keyContent(key);
      const given = { algorithm: read(algorithm).plain, key: facts, usage: "sign" };
      return bufferOf(askCrypto("subtleSign", given, [bytes, source(data)]));
    }
    async verify(algorithm: unknown, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
      const [facts, bytes] = keyContent(key);
      const given = { algorithm: read(algorithm).plain, key: facts, usage: "verify" };
      return askCrypto("subtleVerify", given, [bytes, source(data), source(signature)]) as boolean;
    }
    async encrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return bufferOf(cipher(false, "encrypt", read(algorithm), keyContent(key), source(data)));
    }
    async decrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
      return bufferOf(cipher(true, "decrypt", read(algorithm), keyContent(key), source(data)));
    }
    async deriveBits(algorithm: unknown, key: unknown, length: unknown = null): Promise<ArrayBuffer> {
      const bits = length === null ? null : Number(length);
      return bufferOf(derive("deriveBits", read(algorithm), keyContent(key), bits));
    }
    async deriveKey(
      algorithm: unknown,
      key: unknown,
      wanted: unknown,
      extractable: unknown,
      usages: unknown,
    ): Promise<CryptoKey> {
      const bits = askCrypto("derivedBits", { algorithm: read(wanted).plain }) as number | null;
      const secret = derive("deriveKey", read(algorithm), keyContent(key), bits);
      return importKey("raw", secret, wanted, extractable, usages);
    }
    async generateKey(algorithm: unknown, extractable: unknown, usages: unknown): Promise<object> {
      const given = {
        algorithm: read(algorithm).plain,
        extractable: Boolean(extractable),
        usages: readUsages(usages),
      };
      const made = askGenerate("generateCryptoKey", given) as HostKey | { publicKey: HostKey; privateKey: HostKey };
      if ("bytes" in made) return makeKey(kit, made);
      return { publicKey: makeKey(kit, made.publicKey), privateKey: makeKey(kit, made.privateKey) };
    }
    async importKey(
      format: unknown,
      data: unknown,
      algorithm: unknown,
      extractable: unknown,
      usages: unknown,
    ): Promise<CryptoKey> {
      return importKey(String(format), data, algorithm, extractable, usages);
    }
    async exportKey(format: unknown, key: unknown): Promise<unknown> {
      const answer = exportKey(format, keyContent(key));
      return answer instanceof Uint8Array ? bufferOf(answer) : answer;
    }
    async wrapKey(format: unknown, key: unknown, wrapping: unknown, algorithm: unknown): Promise<ArrayBuffer> {
      const answer = exportKey(format, keyContent(key));
      const bytes = answer instanceof Uint8Array ? answer : kit.encodeUtf8(JSON.stringify(answer));
      return bufferOf(cipher(false, "wrapKey", read(algorithm), keyContent(wrapping), bytes));
    }
    async unwrapKey(
      format: unknown,
      wrapped: unknown,
      wrapping: unknown,
      algorithm: unknown,
      ...wanted: [keyAlgorithm: unknown, extractable: unknown, usages: unknown]
    ): Promise<CryptoKey> {
      const bytes = cipher(true, "unwrapKey", read(algorithm), keyContent(wrapping), source(wrapped));
      const data = format === "jwk" ? (JSON.parse(kit.decodeUtf8(bytes)) as object) : bytes;
      return importKey(String(format), data, ...wanted);
    }
  }

  return { CryptoKey, SubtleCrypto, subtle: new SubtleCrypto(), contentOf };
};
