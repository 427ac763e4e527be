import { expect } from "vitest";

/** A code block of a page. */
export interface Block {
  /** Language and mark after the opening fence, such as `sh setup`. */
  readonly info: string;
  readonly text: string;
  /** The file of the block, when its first line names one: `// orders.js`. */
  readonly file: string | undefined;
  /** Texts of `# ->` and `// ->` lines, which must appear in the output in this order. */
  readonly shown: readonly string[];
}

/** The blocks of a page; one in a list is without its indentation. */
export const blocksIn = (page: string): Block[] =>
  [...page.matchAll(/^( *)```(.+)\n([\s\S]*?)^\1```$/gm)].map(([, indent = "", info = "", indented = ""]) => {
    const text = indented.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    return {
      info,
      text,
      file: /^\/\/ ([\w./-]+\.\w+)\b.*\n/.exec(text)?.[1],
      shown: [...text.matchAll(/^(?:#|\/\/) -> (.*)$/gm)].map(([, line = ""]) => line),
    };
  });

/** Expects all texts in the output, in order. */
export function expectInOrder(output: string, shown: readonly string[]): void {
  let at = 0;
  for (const line of shown) {
    expect(output.slice(at)).toContain(line);
    at = output.indexOf(line, at) + line.length;
  }
}
