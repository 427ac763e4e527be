import { refuseWork } from "./answer.ts";

/** Rounds that turn a passphrase into a key; what tools write is far below. */
const mostRounds = 1_000_000;
const mostMixes = 2 ** 20;
const integerTag = 0x02;
const objectIdTag = 0x06;
const sequenceTag = 0x30;
const constructedBit = 0x20;
/** 1.3.6.1.4.1.11591.4.11 */
const scryptId = "2b06010401da47040b";

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly end: number;
}

/** One element of DER; undefined when it is none, such as one of BER's open lengths. */
function readElement(bytes: Uint8Array, at: number): Element | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || first === 0x80) return undefined;
  const width = first < 0x80 ? 0 : first & 0x7f;
  if (width > 4) return undefined;
  const start = at + 2 + width;
  const length = width === 0 ? first : readNumber(bytes.subarray(at + 2, start));
  return start + length > bytes.length
    ? undefined
    : { tag, content: bytes.subarray(start, start + length), end: start + length };
}

const readNumber = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

interface Found {
  readonly integers: number[];
  readonly ids: string[];
}

/** Collects every integer and object identifier of a list of elements. False: that is no DER. */
function collect(bytes: Uint8Array, found: Found): boolean {
  for (let at = 0; at < bytes.length;) {
    const element = readElement(bytes, at);
    if (!element) return false;
    const { tag, content, end } = element;
    if (tag === integerTag) found.integers.push(readNumber(content));
    if (tag === objectIdTag) found.ids.push(Buffer.from(content).toString("hex"));
    if ((tag & constructedBit) !== 0 && !collect(content, found)) return false;
    at = end;
  }
  return true;
}

/** Refuses an encrypted key (PKCS #8, DER) whose own text asks for more rounds than a thread could be ended in. */
function checkRounds(der: Uint8Array): void {
  const outer = readElement(der, 0);
  const algorithm = outer && readElement(outer.content, 0);
  // Keys that are not encrypted begin with their version.
  if (algorithm?.tag === integerTag) return;
  const found: Found = { integers: [], ids: [] };
  if (algorithm?.tag !== sequenceTag || !collect(algorithm.content, found))
    throw new TypeError("The encrypted key is not in DER");
  const [n = 0, r = 1, p = 1] = found.integers;
  if (found.ids.includes(scryptId) && n * r * p > mostMixes)
    refuseWork(`A key encrypted by scrypt with N=${n}, r=${r}, p=${p}`, `N * r * p = ${mostMixes}`);
  const rounds = Math.max(0, ...found.integers);
  if (rounds > mostRounds) refuseWork(`A key encrypted with ${rounds} rounds`, `${mostRounds} rounds`);
}

const armour = /-----BEGIN ENCRYPTED PRIVATE KEY-----([\s\S]*?)-----END/g;

/** Checks a private key before OpenSSL sees it: the key's text says how much work reading it is. */
export function checkEncryptedKey(key: Uint8Array, format: string | undefined): void {
  if (format === "der") return checkRounds(key);
  const text = Buffer.from(key).toString("latin1");
  const blocks = [...text.matchAll(armour)];
  if (blocks.length !== text.split("BEGIN ENCRYPTED").length - 1)
    throw new TypeError("The encrypted key is not in PEM");
  for (const [, base64 = ""] of blocks) checkRounds(Buffer.from(base64, "base64"));
}
