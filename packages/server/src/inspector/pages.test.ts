import { brotliDecompressSync, gunzipSync } from "node:zlib";

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

test("files are sent compressed to clients that accept it, and caches keep the copies apart", () => {
  const pages = createInspectorPages("");
  const plain = new Map<string, string>();
  for (const { path, codings, immutable } of readInspectorFiles().filter((file) => file.codings.length > 0)) {
    expect([immutable, codings]).toEqual([true, ["br", "gzip"]]);
    const ask = (accepted: string) => {
      const answer = pages.find(`/${path}`, new Headers({ "accept-encoding": accepted }));
      return { ...answer, named: new Map(answer?.headers) };
    };
    const [asIs, br, gz] = [ask(""), ask("gzip, br"), ask("gzip")];
    plain.set(path, textOf(asIs.body));
    expect(brotliDecompressSync(br.body as Uint8Array).toString("utf8")).toBe(plain.get(path));
    expect(gunzipSync(gz.body as Uint8Array).toString("utf8")).toBe(plain.get(path));
    expect([asIs, br, gz].map(({ named }) => named.get("content-encoding"))).toEqual([undefined, "br", "gzip"]);
    expect([asIs, br, gz].map(({ named }) => named.get("vary"))).toEqual(Array(3).fill("accept-encoding"));
    expect(new Set([asIs, br, gz].map(({ named }) => named.get("etag"))).size).toBe(3);
    expect((br.body as Uint8Array).length).toBeLessThan((asIs.body as Uint8Array).length);
  }
  expect(plain.size).toBeGreaterThan(5);
});

test("a copy that the client has is not sent again, also when a cache has weakened its tag", () => {
  const pages = createInspectorPages("");
  const path = `/${readInspectorFiles().find(({ codings }) => codings.includes("br"))?.path}`;
  const ask = (headers: Record<string, string>) => pages.find(path, new Headers(headers));
  const tag = new Map(ask({ "accept-encoding": "br" })?.headers).get("etag") ?? "";
  for (const given of [tag, `W/${tag}`, `"a", ${tag}`]) {
    const again = ask({ "accept-encoding": "br", "if-none-match": given });
    expect([again?.status, again?.body, new Map(again?.headers).get("vary")]).toEqual([304, null, "accept-encoding"]);
  }
  expect(ask({ "accept-encoding": "gzip", "if-none-match": tag })?.status).toBe(200);
});

test("a page that the browser has is not sent again, and other paths are not found", () => {
  const pages = createInspectorPages("");
  const tag = pages.find("/", none)?.headers.find(([name]) => name === "etag")?.[1] ?? "";
  expect(pages.find("/", new Headers({ "if-none-match": tag }))).toMatchObject({ status: 304, body: null });
  for (const path of ["/index.html", "/inspector/", "/inspector/../files.json", "/files.json"])
    expect(pages.find(path, none), path).toBeUndefined();
});
