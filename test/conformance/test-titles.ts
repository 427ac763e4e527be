const beginning = /^[ \t]*(?:test|it)\b(?:\.\w+)*(?=[(`])/gm;
const literal = /\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/y;
const tableEnd = /\)\(\s*(?=["'`])/g;

function literalAt(source: string, index: number): string | undefined {
  literal.lastIndex = index;
  return literal.exec(source)?.[1]?.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

/**
 * Titles of the tests in a source text, in its order; undefined where a test begins whose title cannot be read.
 * A test begins on a line of its own. Those of a table (`test.each`) count once.
 */
export function titlesIn(source: string): readonly (string | undefined)[] {
  return [...source.matchAll(beginning)].map((match) => {
    const open = match.index + match[0].length;
    if (!/\.(?:each|for)$/.test(match[0])) return literalAt(source, open + 1);
    tableEnd.lastIndex = open;
    const end = tableEnd.exec(source);
    return end ? literalAt(source, end.index + 2) : undefined;
  });
}

const label = /^(?:[A-Z]\d{1,3}|\d{1,2}\.\d{1,2})(?![\w.])/;

/** The labels at the beginning of a title: numbers of rules, of traps and vectors (`T14`), of sections (`3.11`). */
export function labelsOf(title: string): readonly string[] {
  const labels: string[] = [];
  let rest = title;
  for (;;) {
    const found = label.exec(rest)?.[0];
    if (found === undefined) return labels;
    labels.push(found);
    rest = rest.slice(found.length).replace(/^(?:,| and| to|-)*\s*/, "");
  }
}
