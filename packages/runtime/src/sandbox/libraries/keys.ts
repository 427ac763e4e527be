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

import { integerTag, octetsTag, walkElements } from "./der.ts";
import { checkEncryptedKey } from "./encrypted-key.ts";
import { hostFunction, type HostFunctions, refuseWork } from "./answer.ts";

/** A key as the guest hands it over; its bytes are the first part. */
export type KeyGiven =
  /** A key the guest got from here: secret bytes, or SPKI and PKCS #8 in DER. */
  | { readonly form: "secret" | "public" | "private" }
  | {
      readonly form: "input";
      readonly format?: "pem" | "der";
      readonly type?: "pkcs1" | "pkcs8" | "sec1" | "spki";
      /** In base64. */
      readonly passphrase?: string;
    }
  | { readonly form: "jwk"; readonly jwk: JsonWebKey };

/** What the guest keeps of a key. */
export interface KeyHeld {
  readonly type: KeyObject["type"];
  /** In base64. */
  readonly bytes: string;
  readonly asymmetricKeyType?: string;
  readonly asymmetricKeyDetails?: object;
}

const longestKey = 64 * 1024;
/** Bits of an RSA key: signing takes the third power of it. */
const mostBits = 8_192;
/** Bits of an RSA key that is generated: the search takes the fourth. */
const mostGeneratedBits = 4_096;
/** The others are slow, or have no use in webhooks. */
const keyTypes = new Set(["rsa", "rsa-pss", "ec", "ed25519", "ed448", "x25519", "x448"]);

/** OpenSSL takes any numbers for the factors and exponents of a private RSA key, also such as are longer than the key. */
function checkFactors(key: KeyObject, bits: number): void {
  let longest = 0;
  const measure = (list: Uint8Array): boolean =>
    walkElements(list, ({ tag, content }) => {
      if (tag === integerTag) longest = Math.max(longest, (content.length - 1) * 8);
    });
  walkElements(key.export({ format: "der", type: "pkcs8" }), ({ tag, content }) => {
    // The numbers stand in a text of bytes.
    if (tag === octetsTag) measure(content);
  });
  if (longest > bits + 8) refuseWork(`An RSA key of ${bits} bits with a number of ${longest} bits`, `${bits} bits`);
}

function checkKey(key: KeyObject): KeyObject {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type !== undefined && !keyTypes.has(type)) throw new TypeError(`The sandbox has no keys of type "${type}"`);
  const bits = details?.modulusLength ?? 0;
  if (bits > mostBits) refuseWork(`An RSA key of ${bits} bits`, `${mostBits} bits`);
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

/** The key in the wanted role; a private key does for a public one. Throws what Node throws. */
export function readKey(given: KeyGiven, bytes: Uint8Array, role: "public" | "private"): KeyObject {
  if (bytes.length > longestKey) refuseWork(`A key of ${bytes.length} bytes`, `${longestKey} bytes`);
  const key = Buffer.from(bytes);
  switch (given.form) {
    case "secret":
      return createSecretKey(key);
    case "public":
      return checkKey(createPublicKey({ key, format: "der", type: "spki" }));
    case "private": {
      const held = createPrivateKey({ key, format: "der", type: "pkcs8" });
      return checkKey(role === "private" ? held : createPublicKey(held));
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

export function holdKey(key: KeyObject): KeyHeld {
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
        // JSON has no such numbers.
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
  // Which of them fit together is for Node to say.
  return readKey(key, bytes, role).export(options as { format: "jwk" });
}

interface PairGiven {
  readonly type: string;
  readonly options: { readonly modulusLength?: number; readonly publicExponent?: number };
}

const exponents: readonly unknown[] = [undefined, 3, 65_537];

/** The pair that Node makes for these options, which hold no encodings. */
export function generatePair({ type, options }: PairGiven): { publicKey: KeyObject; privateKey: KeyObject } {
  const { modulusLength: bits = 0, publicExponent } = options;
  if (bits > mostGeneratedBits) refuseWork(`Generating an RSA key of ${bits} bits`, `${mostGeneratedBits} bits`);
  if (!exponents.includes(publicExponent)) throw new RangeError("publicExponent is 3 or 65537 in the sandbox");
  if (!keyTypes.has(type))
    throw Object.assign(new TypeError(`The argument 'type' must be a supported key type. Received '${type}'`), {
      code: "ERR_INVALID_ARG_VALUE",
    });
  return generateKeyPairSync(type as "rsa", options as { modulusLength: number });
}

/** Keys: read, described, written, made. */
export const keyFunctions: HostFunctions = {
  curves: () => getCurves(),
  readKey: hostFunction(({ key, role }: { key: KeyGiven; role: "public" | "private" }, bytes) =>
    holdKey(readKey(key, bytes, role)),
  ),
  exportKey: hostFunction(exportKey),
};

/** New pairs of keys. */
export const generateFunctions: HostFunctions = {
  generatePair: hostFunction((given: PairGiven) => {
    const { publicKey, privateKey } = generatePair(given);
    return { publicKey: holdKey(publicKey), privateKey: holdKey(privateKey) };
  }),
  /** The private key of a pair on a curve, as `createECDH` has it. */
  ecdhKey: hostFunction(({ curve }: { curve: string }) => {
    const ecdh = createECDH(curve);
    ecdh.generateKeys();
    return ecdh.getPrivateKey();
  }),
};
