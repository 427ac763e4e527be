/**
 * What a bundle says when it is going to use a part. A part that is first used in a run is evaluated in every run anew;
 * one that is evaluated after the bundle finds the heap in pieces and makes the image larger (by 100 KB with axios).
 */
const signs: readonly (readonly [part: string, sign: RegExp])[] = [
  ["buffer", /\bBuffer\b/],
  ["forms", /\bFormData\b/],
  ["intl", /\bIntl\b|\.toLocale(?:Date|Time)?String\(|\.localeCompare\(/],
  ["streams", /\b(?:Readable|Transform|Writable)Stream\b/],
];

/** The parts of the guest's code that are evaluated with a bundle, so that its image has them. */
export const partsFor = (code: string): string[] => signs.filter(([, sign]) => sign.test(code)).map(([part]) => part);
