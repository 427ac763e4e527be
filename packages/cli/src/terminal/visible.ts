/** Characters that control a terminal or move text: controls except newline and tab, line separators, direction marks. */
const marks =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const hexOf = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, "0");

const escaped = (mark: string): string => (mark < "\u0100" ? `\\x${hexOf(mark, 2)}` : `\\u${hexOf(mark, 4)}`);

/** Text of a component or a sender, safe to print: control characters are escaped. */
export const safeText = (text: string): string => text.replaceAll(marks, escaped);

/** Text, safe to print as part of one line: newlines are escaped too. */
export const inLine = (text: string): string => safeText(text).replaceAll("\n", "\\n");

/** Text, safe to print, with each line after the first indented, so that none looks like a line of x. */
export const hanging = (text: string, by: string): string =>
  safeText(text)
    .split("\n")
    .map((line, index) => (index === 0 || line.startsWith(by) ? line : by + line))
    .join("\n");

/** JSON, safe to print: control characters are escaped. */
export const jsonText = (value: unknown, space?: number): string =>
  (JSON.stringify(value, null, space) ?? "null").replaceAll(marks, (mark) => `\\u${hexOf(mark, 4)}`);
