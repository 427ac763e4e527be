import { test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode } = tryBuiltins();

const paths = ["/a/b/../c", "a//b/./c", "..", "", "/", "/tmp/x.tar.gz", "a/b/", "../../x", ".hidden", "a.b/c"];
const each = (name: string, call: string): string =>
  `const { ${name} } = require("path"); return ${JSON.stringify(paths)}.map((path) => ${call})`;

test("node:path behaves as in Node", async () => {
  await sameAsNode([
    each("normalize", "normalize(path)"),
    each("basename", "[basename(path), basename(path, '.gz')]"),
    each("dirname", "dirname(path)"),
    each("extname", "extname(path)"),
    each("parse", "parse(path)"),
    each("isAbsolute", "isAbsolute(path)"),
    each("join", "join('/r', path, 'end')"),
    each("resolve", "resolve('/r', path)"),
    each("relative", "relative('/a/b/d', '/a' + path)"),
    each("format", "format({ dir: '/d', base: path })"),
    `const path = require("path"); return [path.sep, path.delimiter, path.posix === path, require("path/posix") === path, require("node:path") === path]`,
    `require("path").join(5)`,
    `const { toNamespacedPath, win32 } = require("path"); return [toNamespacedPath("/a"), win32.sep, win32.delimiter, typeof win32.join]`,
  ]);
});

const queries = ["a=1&b=2&a=3", "a", "=x", "a=%20+%2B", "%zz=1", "", "&&a=1&", "é=ü", "a=b=c", "a[]=1"];

test("node:querystring behaves as in Node", async () => {
  await sameAsNode([
    `const { parse } = require("querystring"); return ${JSON.stringify(queries)}.map((query) => ({ ...parse(query) }))`,
    `require("querystring").parse("a:1;b:2", ";", ":").b`,
    `Object.keys(require("querystring").parse("a=1&b=2&c=3", null, null, { maxKeys: 2 }))`,
    `require("querystring").stringify({ a: [1, "x y"], b: true, c: null, d: undefined, e: NaN, f: "é&=", g: {}, h: 5n })`,
    `const q = require("querystring"); return [q.escape("a b&c"), q.unescape("a%20b"), q.encode === q.stringify, q.decode === q.parse]`,
    `const { stringify } = require("querystring"); return [stringify({}), stringify("x"), stringify({ a: 1 }, ";", ":")]`,
  ]);
});

const urls = [
  "http://user:pass@host.com:8080/p/a/t/h?query=string#hash",
  "//host/path",
  "/only/path?x=1&y=2",
  "mailto:a@b.c",
  "HTTP://EXAMPLE.com",
  "http://a.b/%7Euser/?q=a b",
  "javascript:alert(1)",
  "http://[::1]:80/x",
  "x:y",
  "",
];

test("node:url behaves as in Node", async () => {
  await sameAsNode([
    `const { parse } = require("url"); return ${JSON.stringify(urls)}.map((url) => ({ ...parse(url) }))`,
    `const { parse } = require("url"); return ${JSON.stringify(urls)}.map((url) => ({ ...parse(url, true, true).query }))`,
    `const { parse, format } = require("url"); return ${JSON.stringify(urls)}.map((url) => format(parse(url)))`,
    `const { resolve } = require("url"); return ["", "x", "../x", "/x", "?q", "#h", "//other/y", "http://z/"].map((to) => resolve("http://a/b/c/d?e", to))`,
    `const { format } = require("url"); return [format({ protocol: "https", host: "h", pathname: "p", query: { a: 1 } }), format(new URL("http://a:b@c/d?e#f"), { auth: false, fragment: false })]`,
    `const url = require("url"); return [url.URL === URL, url.URLSearchParams === URLSearchParams]`,
    `const url = require("url"); return [url.fileURLToPath("file:///a%20b/c"), url.pathToFileURL("/a b/ü#?").href]`,
    `require("url").fileURLToPath("http://x/y")`,
    `const { urlToHttpOptions } = require("url"); const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL("https://u:p@h:1/p?q")); return { protocol, hostname, port, path, auth }`,
    `require("url").parse(5)`,
    `const { Url } = require("url"); return require("url").parse("http://a/") instanceof Url`,
    `[require("url").domainToASCII("español.com"), require("url").domainToUnicode("xn--espaol-zwa.com")]`,
  ]);
});

test("node:punycode and node:string_decoder behave as in Node", async () => {
  await sameAsNode(
    [
      `const p = require("punycode"); return [p.encode("mañana"), p.decode("maana-pta"), p.toASCII("mañana.com"), p.toUnicode("xn--maana-pta.com"), p.ucs2.decode("😀"), p.ucs2.encode([97, 0x1f600])]`,
      `const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("utf8"); return [d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end(Buffer.from([0xe2])), d.encoding]`,
      `const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("base64"); return [d.write(Buffer.from("a")), d.write(Buffer.from("bc")), d.end()]`,
      `const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("utf16le"); return [d.write(Buffer.from([0x61])), d.write(Buffer.from([0, 0x3d, 0xd8])), d.end()]`,
    ],
    [
      {
        snippet: `const { StringDecoder } = require("string_decoder"); return new StringDecoder("nonsense")`,
        guest: "throws Error",
        reason: "the package throws a plain Error",
      },
    ],
  );
});

test("node:buffer gives the global Buffer and its companions", async () => {
  await sameAsNode([
    `const b = require("buffer"); return [b.Buffer === Buffer, b.Blob === Blob, b.atob("YQ=="), b.btoa("a"), typeof b.kMaxLength, b.INSPECT_MAX_BYTES]`,
    `const { isUtf8, isAscii } = require("buffer"); return [isUtf8(Buffer.from([0xff])), isUtf8(Buffer.from("é")), isAscii(Buffer.from("a")), isAscii(Buffer.from("é"))]`,
    `const { transcode } = require("buffer"); return transcode(Buffer.from("é"), "utf8", "latin1")`,
  ]);
});
