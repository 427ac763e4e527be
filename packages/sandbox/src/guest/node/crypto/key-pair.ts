import { askGenerate, randomBytes } from "x:host";

import { checkFunction, checkInteger, checkString, typeError } from "../node-error.ts";
import { bufferOf } from "./bytes.ts";
import { type HostKey, KeyObject } from "./key-object.ts";
import { answer } from "./random.ts";

interface Encoding {
  readonly format?: string;
  readonly type?: string;
  readonly cipher?: string;
  readonly passphrase?: unknown;
}
type PairOptions = Record<string, unknown> & { publicKeyEncoding?: Encoding; privateKeyEncoding?: Encoding };

interface Pair {
  readonly publicKey: unknown;
  readonly privateKey: unknown;
}

const encoded = (hostKey: HostKey, encoding: Encoding | undefined): unknown => {
  const key = new KeyObject(hostKey);
  return encoding ? key.export(encoding) : key;
};

export function generateKeyPairSync(type: unknown, options: PairOptions = {}): Pair {
  checkString("type", type);
  const { publicKeyEncoding, privateKeyEncoding, ...rest } = options;
  const pair = askGenerate("generatePair", { type, options: rest }) as { publicKey: HostKey; privateKey: HostKey };
  return {
    publicKey: encoded(pair.publicKey, publicKeyEncoding),
    privateKey: encoded(pair.privateKey, privateKeyEncoding),
  };
}

type PairCallback = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

export function generateKeyPair(type: unknown, ...rest: unknown[]): void {
  const callback = rest.pop();
  checkFunction("callback", callback);
  const done = callback as PairCallback;
  answer<Pair>(
    (error, pair) => (error ? done(error) : done(null, pair?.publicKey, pair?.privateKey)),
    () => generateKeyPairSync(type, rest[0] as PairOptions | undefined),
  );
}

// The callback takes two results, so promisify needs its own function.
Object.defineProperty(generateKeyPair, Symbol.for("nodejs.util.promisify.custom"), {
  value: (type: unknown, options?: PairOptions) =>
    new Promise((resolve, reject) => {
      generateKeyPair(type, options, (error: Error | null, publicKey: unknown, privateKey: unknown) =>
        error ? reject(error) : resolve({ publicKey, privateKey }),
      );
    }),
});

interface SecretOptions {
  readonly length?: unknown;
}

const maxSecretBits = 2 ** 19;

export function generateKeySync(type: unknown, { length }: SecretOptions = {}): KeyObject {
  checkString("type", type);
  if (type !== "hmac" && type !== "aes")
    throw typeError("ERR_INVALID_ARG_VALUE", `The argument 'type' must be a supported key type. Received '${type}'`);
  if (type === "hmac") checkInteger("options.length", length, 8, maxSecretBits);
  if (type === "aes" && ![128, 192, 256].includes(length as number))
    throw typeError(
      "ERR_INVALID_ARG_VALUE",
      `The property 'options.length' must be one of: 128, 192, 256. Received ${String(length)}`,
    );
  const bytes = bufferOf(randomBytes(Math.floor((length as number) / 8)));
  return new KeyObject({ type: "secret", bytes: bytes.toString("base64") });
}

export function generateKey(type: unknown, options: SecretOptions, callback: unknown): void {
  checkFunction("callback", callback);
  answer(callback as (error: Error | null, key?: KeyObject) => void, () => generateKeySync(type, options));
}
