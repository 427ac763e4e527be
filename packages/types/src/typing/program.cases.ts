/** An expected error of a program. */
export interface Expected {
  readonly line: number;
  /** The text at the position of the error. */
  readonly at: string;
  /** A part of its message. */
  readonly words: string;
}

/** A test program: the lines of a file from one `// # title` to the next. */
export interface Program {
  readonly file: string;
  readonly title: string;
  readonly first: number;
  readonly last: number;
  readonly expected: readonly Expected[];
}

const titleLine = /^\/\/ # (.+)$/;
const expectation = /^\s*\/\/ @ts-expect-error -- (.+?): (.+)$/;

/** The programs of a file. An expectation refers to the next line: `// @ts-expect-error -- <text at the error>: <message>`. */
export function parsePrograms(file: string, source: string): Program[] {
  const lines = source.split("\n");
  const starts = lines.flatMap((line, index) => (titleLine.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const expected = lines.slice(start, end).flatMap((line, offset) => {
      const [, at, words] = expectation.exec(line) ?? [];
      return at === undefined || words === undefined ? [] : [{ line: start + offset + 2, at, words }];
    });
    return { file, title: titleLine.exec(lines[start] ?? "")?.[1] ?? "", first: start + 1, last: end, expected };
  });
}

/** The text with its directives disabled, so that the compiler reports every error; its length is the same. */
export const withoutDirectives = (source: string): string =>
  source.replaceAll("// @ts-expect-error", "// an error follows").replaceAll("// @ts-nocheck", "// @ts-check");
