import type { Random } from "../faults/random.ts";

type Make = (chars: number) => unknown;

const repeat = (text: string, chars: number): string => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
const list = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));
const pick = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
}

/** Pieces that texts are repeated of; programs look for these characters. */
const pieces = [
  "a",
  " ",
  "\0",
  '"',
  "\\",
  "\n",
  "é",
  "😀",
  "\u2028",
  "1",
  "1e9",
  "%41",
  "QUJD",
  "4a",
  "/a",
  "a,",
  "id,",
  "a.b.",
  "aaab",
  "<a>",
  "https://a.invalid/?a=b&",
  "    at run (bundle.js:1:1)\n",
  "2026-11-20T18:00:00Z ",
];

/** Values in bodies are nested at most 256 levels deep. */
const deepest = 240;

/** JSON values of about this many characters as text. */
const makes: readonly Make[] = [
  (chars) => list(chars / 2, () => 1),
  (chars) => list(chars / 3, () => ({})),
  (chars) => list(chars / 3, () => []),
  (chars) => list(chars / 8, () => ({ a: 1 })),
  (chars) => list(chars / 30, (n) => ({ id: n, name: "x", at: null })),
  (chars) => list(chars / 9, (n) => `w${n}`),
  (chars) => Object.fromEntries(list(chars / 14, (n) => [`name${n}`, n])),
  (chars) => Object.fromEntries(list(chars / 14, (n) => [`${n}`, n])),
  (chars) => Object.fromEntries(list(chars / 40, (n) => [`$${n}`, { type: "string", label: `Label ${n}` }])),
  (chars) => nested(Math.min(chars / 2, deepest), (inner) => [inner]),
  (chars) => nested(Math.min(chars / 6, deepest), (inner) => ({ a: inner })),
  (chars) => list(chars / 1_000, () => nested(deepest, (inner) => [inner, 1])),
  (chars) => "1".repeat(chars),
];

/** A long text that consists of one piece, of this many characters as JSON. */
export function largeText(random: Random, chars: number): string {
  const piece = pick(random, pieces);
  return repeat(piece, Math.max(1, (chars * piece.length) / (Buffer.byteLength(JSON.stringify(piece)) - 2)));
}

/** Any JSON value of about this many characters. */
export const largeJson = (random: Random, chars: number): unknown =>
  random() < 0.3 ? largeText(random, chars) : pick(random, makes)(chars);

/** An object of about this many characters, whose members are of one kind. */
export function largeObject(random: Random, chars: number, member: (chars: number) => unknown): object {
  const count = pick(random, [1, 10, 1_000, Math.ceil(chars / 16)]);
  const each = Math.max(1, Math.floor(chars / count) - 12);
  return Object.fromEntries(list(count, (n) => [pick(random, ["p", "name", "a/b"]) + n, member(each)]));
}

const members = (count: number, text: (index: number) => string): string => list(count, text).join(",\n");

/** Code of components of about this many characters, some of which is none. */
const codes: readonly ((chars: number) => string)[] = [
  (chars) =>
    `export default { name: "Props", version: "1", props: { ${members(Math.min(chars / 40, 900), (n) => `p${n}: { type: "string", optional: true }`)} }, run() {} };`,
  (chars) => `export default { name: "Wide", version: "1", run() {}, ${members(chars / 20, (n) => `m${n}() {}`)} };`,
  (chars) => `export default { name: "Long", version: "1", run() { ${repeat("this.missing.x;\n", chars)} } };`,
  (chars) =>
    `export default { name: "Emits", version: "1", run() { for (let n = 0; n < ${chars}; n += 1) this.$emit({ n }) } };`,
  (chars) =>
    `export default { name: "Logs", version: "1", run(e) { console.log(e); this.$emit(e); throw e } }; // ${repeat("x", chars)}`,
  (chars) => `const a = ${"[".repeat(Math.min(chars / 2, 50_000))}`,
  (chars) =>
    `export default { name: "Text", version: "1", description: ${JSON.stringify(repeat("a", chars))}, run() {} };`,
  (chars) => list(chars / 24, (n) => `import a${n} from "./a${n}";`).join("\n"),
  (chars) =>
    `export default { name: "Throws", version: "1", run(e) { throw Object.assign(new Error("x".repeat(${chars})), { e }) } };`,
  (chars) => `export default { name: "Minified", version: "1", run(){${repeat("a=b+c(d);", chars)}}};`,
  (chars) => repeat("/*", chars),
  (chars) => repeat("`${", chars),
];

export const largeCode = (random: Random, chars: number): string => pick(random, codes)(chars);
