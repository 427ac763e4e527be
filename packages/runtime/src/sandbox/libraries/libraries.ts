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
const chanceFunctions: HostFunctions = { ...generateFunctions, ...subtleGenerateFunctions };

/** Names of all of them. */
export const libraryFunctions: readonly string[] = [cryptoFunctions, chanceFunctions, zlibFunctions].flatMap((each) =>
  Object.keys(each),
);

type Answer = (text: string, bytes: Uint8Array | undefined) => string | Uint8Array;

/** Cryptography, whose answer follows from the question alone. */
export const answerCrypto: Answer = (text, bytes) => answerWith(cryptoFunctions, text, bytes);
/** New keys: no image may hold them. */
export const answerGenerate: Answer = (text, bytes) => answerWith(chanceFunctions, text, bytes);
export const answerZlib: Answer = (text, bytes) => answerWith(zlibFunctions, text, bytes);
