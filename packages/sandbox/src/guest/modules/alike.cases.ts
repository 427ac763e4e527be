import { expect } from "vitest";

import type { Sandbox } from "../../contract.ts";
import { compare } from "../differential.cases.ts";

/** Runs each snippet after `beginning` in the sandbox and in Node, and expects equal results. */
export async function expectAlike(sandbox: Sandbox, beginning: string, snippets: readonly string[]): Promise<void> {
  const whole = snippets.map((snippet) => {
    const body = /\breturn |^const /.test(snippet) ? snippet : `return (${snippet})`;
    return `const ${beginning}; ${body}`;
  });
  const { guest, node } = await compare(sandbox, whole);
  const cut = (results: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(snippets.map((snippet, index) => [snippet, results[whole[index] ?? ""]]));
  expect(cut(guest)).toEqual(cut(node));
}

/** Code that returns the fields of a thrown error. */
export const thrown = (code: string): string =>
  `try { ${code}; return "nothing" } catch (error) { return [error.name, error.code, error.message, error instanceof Error] }`;

/** Code that returns the name of a rejection's error, and its code for a DOMException. */
export const rejected = (code: string): string =>
  `try { await (${code}); return "nothing" } catch (error) { return [error.name, error instanceof DOMException && error.code] }`;
