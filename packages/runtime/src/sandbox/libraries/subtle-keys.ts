import { hostFunction, type HostFunctions } from "./answer.ts";
import {
  type AlgorithmGiven,
  algorithmName,
  blockBits,
  checkAesBits,
  familyOf,
  hashName,
  refuse,
} from "./subtle-algorithm.ts";
import { generateKey } from "./subtle-generate.ts";
import { importKey } from "./subtle-import.ts";
import { type CryptoKeyGiven, jwkAlgorithm, keyOf } from "./subtle-key.ts";

function exportKey({ format, key: given }: { format: string; key: CryptoKeyGiven }, bytes: Uint8Array): unknown {
  const { type, algorithm, usages, extractable } = given;
  if (!extractable) refuse("InvalidAccessError", "key is not extractable");
  const { kind } = familyOf(algorithm.name);
  const key = keyOf(given, bytes);
  if (kind === "derive") refuse("NotSupportedError", `Unable to export a ${algorithm.name} key`);
  if (format === "jwk") {
    const alg = jwkAlgorithm(algorithm);
    return { key_ops: usages, ext: extractable, ...(alg && { alg }), ...key.export({ format: "jwk" }) };
  }
  if (type === "secret" && format === "raw") return key.export();
  if (type === "public" && format === "spki") return key.export({ format: "der", type: "spki" });
  if (type === "private" && format === "pkcs8") return key.export({ format: "der", type: "pkcs8" });
  if (type === "public" && format === "raw" && kind !== "rsa") {
    const { x = "", y } = key.export({ format: "jwk" });
    const point = [x, y ?? ""].map((part) => Buffer.from(part, "base64url"));
    return Buffer.concat(y === undefined ? point : [Buffer.from([4]), ...point]);
  }
  const name = kind === "rsa" || type !== "public" ? "NotSupportedError" : "InvalidAccessError";
  return refuse(name, `Unable to export ${algorithm.name} ${type} key using ${format} format`);
}

export const subtleKeyFunctions: HostFunctions = {
  importCryptoKey: hostFunction(importKey),
  exportCryptoKey: hostFunction(exportKey),
  /** Bits of a key that is derived; null: all there are. */
  derivedBits: hostFunction(({ algorithm }: { algorithm: AlgorithmGiven }) => {
    const name = algorithmName(algorithm);
    const { kind } = familyOf(name);
    if (kind === "aes") return checkAesBits(algorithm.length, "OperationError");
    if (kind === "hmac") return algorithm.length ?? blockBits(hashName(algorithm.hash));
    return kind === "derive" ? null : refuse("NotSupportedError", "Unrecognized algorithm name");
  }),
};

export const subtleGenerateFunctions: HostFunctions = { generateCryptoKey: hostFunction(generateKey) };
