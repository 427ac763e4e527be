import { answerWith, type HostFunctions } from "./answer.ts";
import { cipherFunctions } from "./cipher.ts";
import { hashFunctions } from "./hash.ts";
import { generateFunctions, keyFunctions } from "./keys.ts";
import { signFunctions } from "./sign.ts";
import { zlibFunctions } from "./zlib.ts";
import { subtleFunctions } from "./subtle-crypt.ts";
import { subtleGenerateFunctions, subtleKeyFunctions } from "./subtle-keys.ts";

const cryptoFunctions: HostFunctions = {
  ...hashFunctions,
  ...cipherFunctions,
  ...keyFunctions,
  ...signFunctions,
  ...subtleFunctions,
  ...subtleKeyFunctions,
};
const keyGenerationFunctions: HostFunctions = { ...generateFunctions, ...subtleGenerateFunctions };

/** Names of all host functions. */
export const libraryFunctions: readonly string[] = [cryptoFunctions, keyGenerationFunctions, zlibFunctions].flatMap(
  (each) => Object.keys(each),
);

type Answer = (text: string, bytes: Uint8Array | undefined) => string | Uint8Array;

/** Cryptography without randomness. */
export const answerCrypto: Answer = (text, bytes) => answerWith(cryptoFunctions, text, bytes);
/** Key generation: an image must not hold new keys. */
export const answerGenerate: Answer = (text, bytes) => answerWith(keyGenerationFunctions, text, bytes);
export const answerZlib: Answer = (text, bytes) => answerWith(zlibFunctions, text, bytes);
