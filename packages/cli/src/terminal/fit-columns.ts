/** Less is no terminal that help can be made to fit. */
const minColumns = 40;
/** How far text is moved in that stands below its first column. */
const below = 6;

/** Words on as many lines as they need; what follows the first line begins at `hang`. */
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

/** What is to be copied stays on one line. */
const isCommand = (line: string): boolean => /^ {2}(?:x|npx|curl|printf) /.test(line);

/** A row of a table: what follows its last column stays in it, or stands below when little room is left beside. */
function fitRow(row: string, columns: number): string[] {
  const cells = /^\s+\S+(?: \S+)* {2,}/.exec(row)?.[0] ?? /^\s*/.exec(row)?.[0] ?? "";
  const words = row.slice(cells.length).split(" ");
  if (cells.length <= columns / 2) return fill(words, columns, cells, cells.length);
  return [cells.trimEnd(), ...fill(words, columns, " ".repeat(below), below)];
}

/** Lines of running text belong together up to a full stop at the end of one. */
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

/** Help in a terminal that is narrower than its lines: they end between words, and tables keep their columns. */
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
