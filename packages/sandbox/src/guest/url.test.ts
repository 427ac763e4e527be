import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";
import { settledHref } from "./url.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const parts = `["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"].map((part) => url[part])`;
const inputs = [
  ["https://example.com"],
  ["HTTPS://User:Pass@EXAMPLE.com:443/a/../b/./c?q=1#h"],
  ["http://example.com:8080/%7Efoo/a b?x=y z#f g"],
  ["https://éxample.com/ü?ö=ä#ß"],
  ["https://xn--xample-9ua.com"],
  ["//host/path", "https://base.test/x"],
  ["../up?x", "https://base.test/a/b/c"],
  ["?only", "https://base.test/a?b#c"],
  ["#only", "https://base.test/a?b#c"],
  ["", "https://base.test/a?b#c"],
  ["relative"],
  ["http://"],
  ["http://exa mple.com"],
  ["http://[::1]:3000/"],
  ["http://[::ffff:127.0.0.1]/"],
  ["http://0x7f.1/"],
  ["http://2130706433/"],
  ["http://256.256.256.256/"],
  ["http://a:99999/"],
  ["mailto:someone@example.com"],
  ["data:text/plain,hello%20world"],
  ["javascript:alert(1)"],
  ["file:///C:/a/b"],
  ["ftp://host/file"],
  ["custom://host/a/../b"],
  ["about:blank"],
  ["  https://trim.test  "],
  ["https://x.test/\t\nline"],
  ["https://x.test/a\\b"],
  ["https://x.test/?a=b&c=d&a=e"],
  ["https://x.test/?%zz=%41"],
  ["https://x.test/\ud800"],
  ["https://x.test/?q=\udfff"],
  ["blob:https://x.test/uuid"],
];
const setters: [string, string, string][] = [
  ["https://a.test:8080/p?q#h", "protocol", "http"],
  ["https://a.test/p", "protocol", "mailto:"],
  ["https://a.test/p", "username", "us er"],
  ["https://a.test/p", "password", "p@ss:word"],
  ["https://a.test:8080/p", "host", "b.test:9"],
  ["https://a.test:8080/p", "hostname", "b.test:9"],
  ["https://a.test/p", "hostname", ""],
  ["https://a.test/p", "port", "443"],
  ["https://a.test/p", "port", "80x"],
  ["https://a.test:8080/p", "port", ""],
  ["https://a.test/p", "pathname", "x y/../z?#"],
  ["https://a.test/p?q", "search", "a=b c"],
  ["https://a.test/p?q", "search", ""],
  ["https://a.test/p#h", "hash", "x y"],
  ["https://a.test/p#h", "hash", ""],
  ["https://a.test/p", "href", "http://b.test/q"],
  ["https://a.test/p", "href", "nope"],
  ["https://a.test/p", "origin", "https://b.test"],
  ["mailto:a@b.test", "pathname", "c@d.test"],
  ["mailto:a@b.test", "host", "x"],
];
const queries = [
  "a=1&b=2&a=3",
  "?x=%20+%2B&y",
  "=&==&&a",
  "q=%E2%82%AC&bad=%E2%82&p=%",
  "é=ü&\ud800=1",
  "a=b=c",
  "a[]=1&a[]=2",
  "%61=%62",
];

test("URL parses every input as Node does", async () => {
  const { guest, node } = await compare(
    sandbox,
    inputs.map((args) => `const url = new URL(${args.map((arg) => JSON.stringify(arg)).join(", ")}); return ${parts}`),
  );
  expect(guest).toEqual(node);
});

test("setting a part of a URL behaves as in Node", async () => {
  const { guest, node } = await compare(
    sandbox,
    setters.map(
      ([url, part, value]) =>
        `const url = new URL(${JSON.stringify(url)}); url[${JSON.stringify(part)}] = ${JSON.stringify(value)}; return ${parts}`,
    ),
  );
  expect(guest).toEqual(node);
});

test("URLSearchParams reads and writes every query as Node does", async () => {
  const { guest, node } = await compare(
    sandbox,
    queries.flatMap((query) => {
      const made = `const params = new URLSearchParams(${JSON.stringify(query)});`;
      return [
        `${made} return [[...params], params.toString(), params.size]`,
        `${made} params.append("n w", "v&=\\n~!*'()"); params.set("a", 9); params.delete("b"); return params.toString()`,
        `${made} params.sort(); return [...params.keys()]`,
        `${made} return [params.get("a"), params.getAll("a"), params.has("a"), params.has("a", "1"), params.get("none")]`,
      ];
    }),
  );
  expect(guest).toEqual(node);
});

test("constructors of URL and URLSearchParams, and their connection, behave as in Node", async () => {
  const snippets = [
    `new URLSearchParams({ a: 1, b: undefined, c: null, d: [1, 2] }).toString()`,
    `new URLSearchParams([["a", "1"], ["a", 2]]).toString()`,
    `new URLSearchParams(new Map([["a", "b"]])).toString()`,
    `new URLSearchParams(new URLSearchParams("x=1")).toString()`,
    `new URLSearchParams([["a"]])`,
    `new URLSearchParams([["a", "b", "c"]])`,
    `new URLSearchParams(null).toString()`,
    `new URLSearchParams(undefined).toString()`,
    `new URLSearchParams(12).toString()`,
    `const url = new URL("https://a.test/?x=1"); url.searchParams.append("y", "é"); return [url.href, url.search]`,
    `const url = new URL("https://a.test/?x=1"); url.searchParams.delete("x"); return [url.href, url.search]`,
    `const url = new URL("https://a.test/?x=1"); const params = url.searchParams; url.search = "?z=2"; return [[...params], params === url.searchParams]`,
    `const url = new URL("https://a.test/?x=1"); const params = url.searchParams; url.href = "https://b.test/?w=3"; return [...params]`,
    `const url = new URL("https://a.test/?x=a b~"); const before = url.href; url.searchParams.get("x"); return [before, url.href]`,
    `const url = new URL("https://a.test/?x=a b~"); url.searchParams.sort(); return url.href`,
    `[URL.canParse("https://a.test"), URL.canParse("a"), URL.canParse("a", "https://b.test")]`,
    `[URL.parse("nope"), URL.parse("b", "https://a.test/")?.href]`,
    `try { new URL("nope") } catch (error) { return [error.name, error.code, error.message, error instanceof TypeError] }`,
    `try { new URL("https://a.test").href = "nope" } catch (error) { return [error.name, error.code, error.message, error.input] }`,
    `JSON.stringify({ url: new URL("https://a.test") })`,
    `\`\${new URL("https://a.test")}\` + String(new URLSearchParams("a=1"))`,
    `[Object.prototype.toString.call(new URL("https://a.test")), Object.prototype.toString.call(new URLSearchParams())]`,
    `new URL(new URL("https://a.test/x")).href`,
    `new URL("b", new URL("https://a.test/x/y")).href`,
    `const seen = []; new URLSearchParams("a=1&b=2").forEach((value, name, all) => seen.push(value, name, all.size)); return seen`,
    `const params = new URLSearchParams("a=1&a=2&b=3"); params.delete("a", "2"); return params.toString()`,
    `[...new URLSearchParams("a=1&b=2").entries()].concat([...new URLSearchParams("c=3").values()])`,
    `new URL()`,
    ...["append", "set", "get", "getAll", "has", "delete", "forEach"].map(
      (name) => `new URLSearchParams("a=1").${name}()`,
    ),
    `new URLSearchParams("a=1").set("a")`,
    `URL("https://a.test")`,
  ];
  const { guest, node, stale } = await compare(sandbox, snippets, [
    { snippet: `typeof URL.createObjectURL`, guest: "undefined", reason: "blobs have no address in the sandbox" },
  ]);
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});

const hosts =
  "a.test A.test a localhost 1.2 1.2.3.4 a.1 a.0x7f xn--a.test xn--xample-9ua.com a--b.test a-b.c-d.test -a.test a-.test a_b.test é.test a..test .a.test a.test. %61.test [::1] a.test:80 a.test:443 a.test:8080 u@a.test u:p@a.test".split(
    " ",
  );
const pieces = [
  ..."/ . .. %2e %2E a A1 ~ - _ ' \" < ? # \\ | ^ { } é % %zz @ : ; = & [ ` // $ + , ! ( ) *".split(" "),
  " ",
  "\t",
  "\0",
  "\ud800",
];

test("a URL that is not parsed is one that parsing leaves as it is", () => {
  const ends = pieces.flatMap((one) => pieces.flatMap((two) => pieces.map((three) => one + two + three)));
  const urls = [
    ...["http", "https", "HTTP", "ftp", " http"].flatMap((scheme) =>
      hosts.flatMap((host) =>
        ["", ...pieces].flatMap((end) => [`${scheme}://${host}${end}`, `${scheme}://${host}/${end}`]),
      ),
    ),
    ...ends.flatMap((end) => [`https://a.test/${end}`, `https://a.test/a?${end}`]),
  ];
  const settled = urls.filter((url) => settledHref(url) !== undefined);
  expect(settled.filter((text) => new URL(text).href !== text || new URL(text).username !== "")).toEqual([]);
  expect(settled).toEqual(
    expect.arrayContaining(["http://a.test/", "https://a-b.c-d.test/a", "https://a.test/a//", "https://a.test/a?=&%"]),
  );
});
