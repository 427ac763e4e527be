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

export const blocksIn = (page: string): Block[] =>
  [...page.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, info = "", text = ""]) => ({
    info,
    text,
    file: /^\/\/ ([\w./-]+\.\w+)\b.*\n/.exec(text)?.[1],
    shown: [...text.matchAll(/^(?:#|\/\/) -> (.*)$/gm)].map(([, line = ""]) => line),
  }));

/** Expects all texts in the output, in order. */
export function expectInOrder(output: string, shown: readonly string[]): void {
  let at = 0;
  for (const line of shown) {
    expect(output.slice(at)).toContain(line);
    at = output.indexOf(line, at) + line.length;
  }
}
