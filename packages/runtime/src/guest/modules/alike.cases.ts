import { expect } from "vitest";

import type { Sandbox } from "../../sandbox/contract.ts";
import { compare } from "../differential.cases.ts";

/** Runs each snippet after the same beginning in the sandbox and in Node, and expects the same results. */
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

/** What is thrown, as far as code can tell. */
export const thrown = (code: string): string =>
  `try { ${code}; return "nothing" } catch (error) { return [error.name, error.code, error.message, error instanceof Error] }`;

/** What a promise rejects with: a DOMException with the code of its name, or the type of another error. */
export const rejected = (code: string): string =>
  `try { await (${code}); return "nothing" } catch (error) { return [error.name, error instanceof DOMException && error.code] }`;
