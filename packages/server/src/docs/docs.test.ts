import { Script } from "node:vm";

import { expect, test } from "vitest";

import { docsPage as docsPageAt, docsPolicy, readDocsScript } from "./documents.ts";

const docsPage = docsPageAt("");
const docsScript = readDocsScript();

test("the page and its script name no other host, and are small", () => {
  for (const text of [docsPage, docsScript]) expect(text).not.toMatch(/(?:https?:|wss?:|["'(]\/\/)/);
  expect(docsPage.match(/(?:src|href)="([^"]*)"/g)).toEqual(['href="data:,"', 'src="/docs/reference.js"']);
  expect(Buffer.byteLength(docsPage) + Buffer.byteLength(docsScript)).toBeLessThan(30 * 1024);
});

test("the script parses, and never inserts text as markup", () => {
  expect(() => new Script(docsScript)).not.toThrow();
  expect(docsScript).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|Function\(/);
});

test("the policy allows the parts of the page and no other host", () => {
  expect(docsPolicy).toContain("default-src 'none'");
  expect(docsPolicy).not.toMatch(/unsafe|\*|https?:/);
  expect(docsPage).not.toMatch(/ style="| on\w+="|<script>/);
});
