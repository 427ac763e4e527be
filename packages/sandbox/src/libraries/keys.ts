import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  getCurves,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";

import { hostFunction, type HostFunctions, refuseWork } from "./answer.ts";
import { checkEncryptedKey, checkFactors } from "./key-cost.ts";

/** A key from the guest; its bytes are the first part. */
export type KeyGiven =
  /** A key that the host gave the guest: secret bytes, or SPKI and PKCS #8 in DER. */
  | { readonly form: "secret" | "public" | "private" }
  | {
      readonly form: "input";
      readonly format?: "pem" | "der";
      readonly type?: "pkcs1" | "pkcs8" | "sec1" | "spki";
      /** In base64. */
      readonly passphrase?: string;
    }
  | { readonly form: "jwk"; readonly jwk: JsonWebKey };

/** A key for the guest to keep. */
export interface GuestKey {
  readonly type: KeyObject["type"];
  /** In base64. */
  readonly bytes: string;
  readonly asymmetricKeyType?: string;
  readonly asymmetricKeyDetails?: object;
}

const longestKey = 64 * 1024;
/** Bits of an RSA key: signing time grows with the third power. */
const maxBits = 8_192;
/** Bits of a generated RSA key: the time grows with the fourth power. */
const maxGeneratedBits = 4_096;
/** Other types are slow, or useless for webhooks. */
const keyTypes = new Set(["rsa", "rsa-pss", "ec", "ed25519", "ed448", "x25519", "x448"]);

function checkKey(key: KeyObject): KeyObject {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== undefined && !keyTypes.has(type)) throw new TypeError(`The sandbox has no keys of type "${type}"`);
  const bits = details?.modulusLength ?? 0;
  if (bits > maxBits) refuseWork(`An RSA key of ${bits} bits`, `${maxBits} bits`);
  if (key.type === "private" && bits > 0) checkFactors(key, bits);
  return key;
}

function readInput(
  given: Extract<KeyGiven, { form: "input" }>,
  bytes: Uint8Array,
  role: "public" | "private",
): KeyObject {
  const { format = "pem", type, passphrase } = given;
  const secret = passphrase === undefined ? {} : { passphrase: Buffer.from(passphrase, "base64") };
  if (format !== "der" || type === "pkcs8" || role === "private") checkEncryptedKey(bytes, format);
  const key = Buffer.from(bytes);
  return role === "private"
    ? createPrivateKey({ key, format, ...(type && type !== "spki" && { type }), ...secret })
    : createPublicKey({ key, format, ...(type && { type: type as "spki" }), ...secret });
}

/** The key in a role; a public key is derived from a private one. Throws Node's errors. */
export function readKey(given: KeyGiven, bytes: Uint8Array, role: "public" | "private"): KeyObject {
  if (bytes.length > longestKey) refuseWork(`A key of ${bytes.length} bytes`, `${longestKey} bytes`);
  const key = Buffer.from(bytes);
  switch (given.form) {
    case "secret":
      return createSecretKey(key);
    case "public":
      return checkKey(createPublicKey({ key, format: "der", type: "spki" }));
    case "private": {
      const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
      return checkKey(role === "private" ? privateKey : createPublicKey(privateKey));
    }
    case "jwk": {
      const size = JSON.stringify(given.jwk).length;
      if (size > longestKey) refuseWork(`A key of ${size} letters`, `${longestKey} letters`);
      const input = { key: given.jwk, format: "jwk" } as const;
      return checkKey(role === "private" ? createPrivateKey(input) : createPublicKey(input));
    }
    default:
      return checkKey(readInput(given, bytes, role));
  }
}

export function toGuestKey(key: KeyObject): GuestKey {
  const bytes =
    key.type === "secret"
      ? key.export()
      : key.type === "public"
        ? key.export({ format: "der", type: "spki" })
        : key.export({ format: "der", type: "pkcs8" });
  const { asymmetricKeyType, asymmetricKeyDetails } = key;
  const exponent = asymmetricKeyDetails?.publicExponent;
  return {
    type: key.type,
    bytes: bytes.toString("base64"),
    ...(asymmetricKeyType && { asymmetricKeyType }),
    ...(asymmetricKeyDetails && {
      asymmetricKeyDetails: {
        ...asymmetricKeyDetails,
        // JSON has no BigInt.
        ...(exponent !== undefined && { publicExponent: String(exponent) }),
      },
    }),
  };
}

interface ExportGiven {
  readonly key: KeyGiven;
  readonly role: "public" | "private";
  readonly format: "pem" | "der" | "jwk";
  readonly type?: string;
  readonly cipher?: string;
  readonly passphrase?: string;
}

function exportKey(given: ExportGiven, bytes: Uint8Array): unknown {
  const { key, role, format, type, cipher, passphrase } = given;
  const secret = passphrase === undefined ? {} : { passphrase: Buffer.from(passphrase, "base64") };
  const options = { format, ...(type && { type }), ...(cipher && { cipher }), ...secret };
  // Node refuses combinations that do not fit.
  return readKey(key, bytes, role).export(options as { format: "jwk" });
}

interface PairGiven {
  readonly type: string;
  readonly options: { readonly modulusLength?: number; readonly publicExponent?: number };
}

const exponents: readonly unknown[] = [undefined, 3, 65_537];

/** A new key pair; the options hold no encodings. */
export function generatePair({ type, options }: PairGiven): { publicKey: KeyObject; privateKey: KeyObject } {
  const { modulusLength: bits = 0, publicExponent } = options;
  if (bits > maxGeneratedBits) refuseWork(`Generating an RSA key of ${bits} bits`, `${maxGeneratedBits} bits`);
  if (!exponents.includes(publicExponent)) throw new RangeError("publicExponent is 3 or 65537 in the sandbox");
  if (!keyTypes.has(type))
    throw Object.assign(new TypeError(`The argument 'type' must be a supported key type. Received '${type}'`), {
      code: "ERR_INVALID_ARG_VALUE",
    });
  return generateKeyPairSync(type as "rsa", options as { modulusLength: number });
}

/** Reads, describes and exports keys. */
export const keyFunctions: HostFunctions = {
  curves: () => getCurves(),
  readKey: hostFunction(({ key, role }: { key: KeyGiven; role: "public" | "private" }, bytes) =>
    toGuestKey(readKey(key, bytes, role)),
  ),
  exportKey: hostFunction(exportKey),
};

/** Generates key pairs. */
export const generateFunctions: HostFunctions = {
  generatePair: hostFunction((given: PairGiven) => {
    const { publicKey, privateKey } = generatePair(given);
    return { publicKey: toGuestKey(publicKey), privateKey: toGuestKey(privateKey) };
  }),
  /** The private key of a new pair on a curve, in the form of `createECDH`. */
  ecdhKey: hostFunction(({ curve }: { curve: string }) => {
    const ecdh = createECDH(curve);
    ecdh.generateKeys();
    return ecdh.getPrivateKey();
  }),
};
