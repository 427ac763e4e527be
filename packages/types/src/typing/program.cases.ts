/** An error that a program must have. */
export interface Expected {
  readonly line: number;
  /** What the error points at. */
  readonly at: string;
  /** Words of its message. */
  readonly words: string;
}

/** A program as authors write them: the lines of a file from one `// # title` to the next. */
export interface Program {
  readonly file: string;
  readonly title: string;
  readonly first: number;
  readonly last: number;
  readonly expected: readonly Expected[];
}

const titleLine = /^\/\/ # (.+)$/;
const expectation = /^\s*\/\/ @ts-expect-error -- (.+?): (.+)$/;

/** The programs of a file. An expectation is about the next line: `// @ts-expect-error -- <what it points at>: <words>`. */
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

/** The same text, as long as before, without directives: every error shows. */
export const withoutDirectives = (source: string): string =>
  source.replaceAll("// @ts-expect-error", "// an error follows").replaceAll("// @ts-nocheck", "// @ts-check");
