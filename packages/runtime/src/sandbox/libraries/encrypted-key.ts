import { refuseWork } from "./answer.ts";
import { integerTag, objectIdTag, readElement, readNumber, sequenceTag, walkElements } from "./der.ts";

/** Rounds that turn a passphrase into a key; what tools write is far below. */
const mostRounds = 1_000_000;
const mostMixes = 2 ** 20;
/** 1.3.6.1.4.1.11591.4.11 */
const scryptId = "2b06010401da47040b";

interface Found {
  readonly integers: number[];
  readonly ids: string[];
}

/** Collects every integer and object identifier of a list of elements. False: that is no DER. */
const collect = (bytes: Uint8Array, found: Found): boolean =>
  walkElements(bytes, ({ tag, content }) => {
    if (tag === integerTag) found.integers.push(readNumber(content));
    if (tag === objectIdTag) found.ids.push(Buffer.from(content).toString("hex"));
  });

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
