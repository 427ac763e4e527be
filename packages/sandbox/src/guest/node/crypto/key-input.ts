import { askCrypto } from "x:host";

import { wrongType } from "../node-error.ts";
import { anyBytes, bytesOf, viewOf } from "./bytes.ts";
import { type HostKey, KeyObject, keyObjectOf, passphraseText, wrongKeyType } from "./key-object.ts";

const keyKinds = anyBytes.replace(", or DataView", ", DataView, KeyObject, or CryptoKey");

/** A key for the host, and its bytes. */
export interface KeyInput {
  readonly given: object;
  readonly bytes: Uint8Array;
  /** Other options beside the key, such as a padding. */
  readonly options: Record<string, unknown>;
}

const none = new Uint8Array(0);

function fromObject(key: KeyObject, role: "public" | "private", options: Record<string, unknown>): KeyInput {
  if (key.type === "secret") throw wrongKeyType(key.type, role === "private" ? "private" : "private or public");
  if (role === "private" && key.type !== "private") throw wrongKeyType(key.type, "private");
  return { given: { form: key.type }, bytes: KeyObject.bytesOf(key), options };
}

/** Reads an asymmetric key in every form that Node's functions accept. */
export function keyInput(input: unknown, role: "public" | "private", name = "key"): KeyInput {
  const whole = keyObjectOf(input);
  if (whole) return fromObject(whole, role, {});
  if (typeof input === "string" || viewOf(input))
    return { given: { form: "input" }, bytes: bytesOf(input, name, "utf8", anyBytes), options: {} };
  if (typeof input !== "object" || input === null) throw wrongType(name, keyKinds, input);
  const { key, format, type, encoding, passphrase, ...options } = input as Record<string, unknown>;
  const object = keyObjectOf(key);
  if (object) return fromObject(object, role, options);
  if (format === "jwk") {
    if (typeof key !== "object" || key === null) throw wrongType("key.key", "of type object", key);
    return { given: { form: "jwk", jwk: key }, bytes: none, options };
  }
  if (typeof key !== "string" && !viewOf(key)) throw wrongType("key.key", keyKinds, key);
  const secret = passphraseText(passphrase, encoding);
  return {
    given: { form: "input", format, type, passphrase: secret },
    bytes: bytesOf(key, "key.key", encoding, anyBytes),
    options,
  };
}

function readKey(input: unknown, role: "public" | "private"): KeyObject {
  const { given, bytes } = keyInput(input, role);
  return new KeyObject(askCrypto("readKey", { key: given, role }, [bytes]) as HostKey);
}

export function createPrivateKey(input: unknown): KeyObject {
  if (keyObjectOf(input)) throw wrongType("key", keyKinds.replace(", KeyObject, or CryptoKey", ""), input);
  return readKey(input, "private");
}

export function createPublicKey(input: unknown): KeyObject {
  const whole = keyObjectOf(input);
  if (whole && whole.type !== "private") throw wrongKeyType(whole.type, "private");
  return readKey(input, "public");
}

/** The bytes of a symmetric key. */
export function secretBytes(key: unknown, encoding?: unknown): Uint8Array {
  const object = keyObjectOf(key);
  if (!object) {
    if (typeof key !== "string" && !viewOf(key)) throw wrongType("key", keyKinds, key);
    return bytesOf(key, "key", encoding, anyBytes);
  }
  if (object.type !== "secret") throw wrongKeyType(object.type, "secret");
  return KeyObject.bytesOf(object);
}
