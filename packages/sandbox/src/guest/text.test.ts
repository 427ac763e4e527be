import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const byteLists = [
  [],
  [104, 105],
  [0, 65, 0],
  [0xc3, 0xa9],
  [0xc3],
  [0xc3, 0x28],
  [0xe2, 0x82],
  [0xe2, 0x82, 0xac, 0x41],
  [0xf0, 0x9f, 0x98, 0x80],
  [0xf0, 0x9f, 0x98],
  [0xf5, 0x80, 0x80, 0x80],
  [0xed, 0xa0, 0x80],
  [0xc0, 0x80],
  [0xff, 0xfe, 0x41],
  [0xef, 0xbb, 0xbf, 0x41],
  [0xef, 0xbb],
  [0x80, 0x81, 0x41],
];
const streams = [
  [[0xe2], [0x82], [0xac]],
  [[0xef], [0xbb], [0xbf, 0x41]],
  [[0xf0, 0x9f], [0x98, 0x80, 0x41], [0xc3]],
  [[0xf0, 0x9f], [0x41]],
  [[0xff], [0xc3], [0xa9]],
  [[0xe2, 0x82], []],
  [
    [0xef, 0xbb, 0xbf],
    [0xef, 0xbb, 0xbf, 0x41],
  ],
  [[0xed], [0xa0], [0x80]],
];
const decoded = (label: string, options: string) => (bytes: number[]) =>
  `return new TextDecoder(${JSON.stringify(label)}, ${options}).decode(new Uint8Array(${JSON.stringify(bytes)}))`;

test("TextDecoder decodes complete texts as in Node, invalid ones too", async () => {
  const snippets = [
    ...byteLists.map(decoded("utf-8", "{}")),
    ...byteLists.map(decoded("utf-8", "{ fatal: true }")),
    ...byteLists.map(decoded("utf8", "{ ignoreBOM: true }")),
    ...byteLists.map(decoded("utf-16le", "{}")),
    ...byteLists.map(decoded("latin1", "{}")),
    decoded("utf-16le", "{}")([0x3d, 0xd8, 0x00, 0xde]),
    decoded("utf-16le", "{}")([0xff, 0xfe, 0x41, 0x00]),
    decoded("windows-1252", "{}")([0x80, 0x9f]),
  ];
  const { guest, node } = await compare(sandbox, snippets);
  expect(guest).toEqual(node);
});

test("TextDecoder decodes streams as in Node", async () => {
  const snippets = ["{}", "{ fatal: true }", "{ ignoreBOM: true }"].flatMap((options) =>
    streams.map(
      (chunks) =>
        `const decoder = new TextDecoder("utf-8", ${options}); const parts = ${JSON.stringify(chunks)}.map((chunk) => decoder.decode(new Uint8Array(chunk), { stream: true })); parts.push(decoder.decode()); parts.push(decoder.decode(new Uint8Array([65]))); return parts`,
    ),
  );
  snippets.push(
    `const decoder = new TextDecoder("utf-16le"); return [[0x3d], [0xd8, 0x00], [0xde]].map((chunk) => decoder.decode(new Uint8Array(chunk), { stream: true })).concat(decoder.decode())`,
  );
  const { guest, node } = await compare(sandbox, snippets);
  expect(guest).toEqual(node);
});

test("TextEncoder and TextDecoder have the members of Node's", async () => {
  const { guest, node, stale } = await compare(
    sandbox,
    [
      `["utf8", "UTF-8", " utf-8 ", "unicode-1-1-utf-8", "utf-16", "utf-16le", "latin1", "ascii", "iso-8859-1", "utf-16be"].map((label) => new TextDecoder(label).encoding)`,
      `new TextDecoder("nonsense")`,
      `const { fatal, ignoreBOM, encoding } = new TextDecoder(); return [fatal, ignoreBOM, encoding]`,
      `new TextDecoder().decode(new Uint8Array([65, 66]).buffer)`,
      `new TextDecoder().decode(new DataView(new Uint8Array([65, 66, 67]).buffer, 1))`,
      `new TextDecoder().decode(new Uint16Array([0x4241]))`,
      `new TextDecoder().decode(new Uint8Array([1, 65, 66]).subarray(1))`,
      `new TextDecoder().decode()`,
      `new TextDecoder().decode("text")`,
      `["", "a", "é€😀", "\\ud800", "\\udc00a", "a\\0b"].map((text) => [...new TextEncoder().encode(text)])`,
      `[...new TextEncoder().encode("é".repeat(300))].length`,
      `[...new TextEncoder().encode()]`,
      `[...new TextEncoder().encode(12)]`,
      `[...new TextEncoder().encode(undefined)]`,
      `[...new TextEncoder().encode(null)]`,
      `new TextEncoder().encoding`,
      `const target = new Uint8Array(4); return [new TextEncoder().encodeInto("aé€", target), target]`,
      `const target = new Uint8Array(3); return [new TextEncoder().encodeInto("😀", target), target]`,
      `const target = new Uint8Array(8); return [new TextEncoder().encodeInto("\\ud800x", target), target]`,
    ],
    [],
  );
  expect(stale).toEqual([]);
  expect(guest).toEqual(node);
});

test("atob and btoa behave as in Node", async () => {
  const texts = ["", "a", "ab", "abc", "abcd", "ÿ\u0000\u0080", "€", "é", 12, null];
  const encoded = [
    "",
    "YQ==",
    "YQ=",
    "YQ",
    "YWI=",
    "YWJj",
    " Y W\tJ\nj ",
    "YR==",
    "Y",
    "YQ===",
    "=YQ=",
    "Y!==",
    "-_-_",
    "////",
    "AAAA",
    12,
    null,
  ];
  const { guest, node } = await compare(sandbox, [
    ...texts.map((text) => `btoa(${JSON.stringify(text)})`),
    ...encoded.map((text) => `atob(${JSON.stringify(text)})`),
    `[...Array(256).keys()].every((code) => atob(btoa(String.fromCharCode(code))).charCodeAt(0) === code)`,
    `btoa(undefined)`,
    `try { btoa("€") } catch (error) { return [error.name, error.code, error instanceof DOMException] }`,
    `try { atob("*") } catch (error) { return [error.name, error.code, error instanceof DOMException] }`,
  ]);
  expect(guest).toEqual(node);
});
