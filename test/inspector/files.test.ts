import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { inspectorFolder, readInspectorFiles } from "../../packages/inspector/src/files.ts";

const files = readInspectorFiles().map((file) => ({
  ...file,
  content: readFileSync(new URL(file.path, inspectorFolder)),
}));

test("all files of the inspector have at most 260 kB, compressed", () => {
  const sizes = files.map(({ content }) => gzipSync(content, { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(260_000);
  expect(files.length).toBeGreaterThan(3);
});

test("what a visitor loads at first is small: no editor and no plots", () => {
  const page = files.find(({ path }) => path === "index.html")?.content.toString("utf8") ?? "";
  const first = files.filter(({ path }) => page.includes(path));
  const size = first.reduce((sum, { content }) => sum + gzipSync(content).length, 0);
  expect(first.length).toBeGreaterThan(1);
  expect(size).toBeLessThan(60_000);
});

const textsOf = (extension: string): string[] =>
  files.filter(({ path }) => path.endsWith(extension)).map(({ content }) => content.toString("utf8"));

test("the page and its style have nothing inline, and name no other host", () => {
  const [page = "", style = ""] = [...textsOf(".html"), ...textsOf(".css")];
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  expect(style).not.toMatch(/@import|url\(/);
  expect(page + style).not.toMatch(/https?:\/\//);
});

test("names change with the content, so that files may be cached for ever", () => {
  for (const { path, immutable } of files) expect(immutable, path).toBe(/-[\w-]{8}\.(?:js|css)$/.test(path));
});
