/** Help is not fitted to narrower terminals. */
const minColumns = 40;
/** Indentation of text below its first column. */
const indent = 6;

/** Words on as many lines as they need; lines after the first are indented by `hang`. */
function fill(words: readonly string[], columns: number, first: string, hang: number): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of words) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = " ".repeat(hang);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

/** Commands stay on one line, so that they can be copied. */
const isCommand = (line: string): boolean => /^ {2}(?:x|npx|curl|printf) /.test(line);

/** A row of a table: its last column is wrapped, or put below the row when little width is left. */
function fitRow(row: string, columns: number): string[] {
  const cells = /^\s+\S+(?: \S+)* {2,}/.exec(row)?.[0] ?? /^\s*/.exec(row)?.[0] ?? "";
  const words = row.slice(cells.length).split(" ");
  if (cells.length <= columns / 2) return fill(words, columns, cells, cells.length);
  return [cells.trimEnd(), ...fill(words, columns, " ".repeat(indent), indent)];
}

/** Joins lines of running text up to one that ends with a full stop. */
function joinSentences(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const goesOn =
      before !== undefined && !/^\s|[.:]$/.test(before) && !/^\s/.test(line) && before !== "" && line !== "";
    if (goesOn) joined[joined.length - 1] = `${before} ${line}`;
    else joined.push(line);
  }
  return joined;
}

/** Help for a terminal that is narrower than its lines: wraps between words and keeps the columns of tables. */
export function fitColumns(text: string, columns: number): string {
  const lines = text.split("\n");
  if (columns < minColumns || lines.every((line) => line.length <= columns || isCommand(line))) return text;
  return joinSentences(lines)
    .flatMap((line) => {
      if (line.length <= columns || isCommand(line)) return [line];
      return line.startsWith(" ") ? fitRow(line, columns) : fill(line.split(" "), columns, "", 0);
    })
    .join("\n");
}
