import { builtinText } from "../machine/engine-files.ts";

/**
 * Code that shows that a bundle uses a part. A part that is first used in a run would be evaluated again in every run; one
 * that is evaluated after the bundle makes the image larger (by 100 KB with axios), because the heap is fragmented.
 */
const signs: readonly (readonly [part: string, sign: RegExp])[] = [
  ["buffer", /\bBuffer\b|\brequire\("node:(?:buffer|crypto|fs|https?|stream|string_decoder|zlib)\b/],
  ["forms", /\bFormData\b/],
  ["intl", /\bIntl\b|\.toLocale(?:Date|Time)?String\(|\.localeCompare\(/],
  ["streams", /\b(?:Readable|Transform|Writable)Stream\b/],
];

/** The same for built-ins that other built-ins load lazily. */
const builtinSigns: readonly (readonly [builtin: string, sign: RegExp])[] = [
  [
    "node:internal/inspect",
    /\brequire\("node:(?:util|sys)"\)[^]*\b(?:inspect|format|formatWithOptions|stripVTControlCharacters|log)\b/,
  ],
  [
    "node:stream",
    /\.pipe\b|\bcreate(?:Brotli|Deflate|Gunzip|Gzip|Inflate|Unzip|Zstd)\w*\b|\b(?:create)?(?:Read|Write)Stream\b/,
  ],
];

const found = (table: typeof signs, code: string): string[] =>
  table.filter(([, sign]) => sign.test(code)).map(([name]) => name);

/** Parts and built-ins to evaluate before a bundle, so that its image contains them. */
export function partsFor(code: string): string[] {
  const required = [...code.matchAll(/\brequire\("(node:[\w/]+)"\)/g)].map(([, name = ""]) => name);
  const builtins = required.filter((name) => builtinText(name) !== undefined);
  if (builtins.length > 0) builtins.push(...found(builtinSigns, code));
  return [...found(signs, code), ...new Set(builtins)];
}
