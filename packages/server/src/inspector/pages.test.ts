import { readInspectorFiles } from "@x/inspector";
import { expect, test } from "vitest";

import { createInspectorPages } from "./pages.ts";

const none = new Headers();
const textOf = (body: unknown): string => Buffer.from(body as Uint8Array).toString("utf8");

test("the page names its files below the mount path, and each of them is served with its type", () => {
  const pages = createInspectorPages("/events");
  const page = textOf(pages.find("/", none)?.body);
  const named = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(1);
  for (const path of named) {
    expect(path).toMatch(/^\/events\/inspector\//);
    const answer = pages.find(path.slice("/events".length), none);
    expect(answer?.headers).toContainEqual([
      "content-type",
      expect.stringMatching(/^text\/(?:javascript|css); charset=utf-8$/),
    ]);
  }
});

test("files whose names change with their content are cached for ever, the page is not", () => {
  const pages = createInspectorPages("");
  const caching = (path: string) => pages.find(path, none)?.headers.find(([name]) => name === "cache-control")?.[1];
  const [file] = readInspectorFiles().filter(({ immutable }) => immutable);
  expect(caching("/")).toBe("no-cache");
  expect(caching(`/${file?.path}`)).toBe("public, max-age=31536000, immutable");
});

test("a page that the browser has is not sent again, and other paths are not found", () => {
  const pages = createInspectorPages("");
  const tag = pages.find("/", none)?.headers.find(([name]) => name === "etag")?.[1] ?? "";
  expect(pages.find("/", new Headers({ "if-none-match": tag }))).toMatchObject({ status: 304, body: null });
  for (const path of ["/index.html", "/inspector/", "/inspector/../files.json", "/files.json"])
    expect(pages.find(path, none), path).toBeUndefined();
});
