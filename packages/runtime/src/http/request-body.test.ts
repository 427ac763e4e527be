import { describe, expect, it } from "vitest";

import { parseBody } from "./request-body.ts";

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

describe("S47 charsets", () => {
  const utf16 = Buffer.from('{"a":"é"}', "utf16le");
  const big = Buffer.from(utf16).swap16();
  it.each([
    ["text/plain; charset=iso-8859-1", latin("caf\u00e9"), "café"],
    ["text/plain;charset=ISO-8859-1", latin("caf\u00e9"), "café"],
    ['text/xml; charset="windows-1252"', latin("<a>\u0080</a>"), "<a>€</a>"],
    ["application/xml; version=1; charset=latin1", latin("\u00fc"), "ü"],
    ["application/x-www-form-urlencoded; charset=windows-1251", Buffer.from([0x61, 0x3d, 0xc4, 0xe0]), "a=Да"],
    ["text/plain; charset=Shift_JIS", Buffer.from([0x93, 0xfa, 0x96, 0x7b]), "日本"],
    ["text/csv; header=present; charset=gb18030", Buffer.from([0xd6, 0xd0]), "中"],
    ["text/plain; charset=euc-kr", Buffer.from([0xc7, 0xd1]), "한"],
    ["text/plain; charset=utf-16le", Buffer.from("hé", "utf16le"), "hé"],
    ["text/plain; charset=koi8-r", Buffer.from([0xe4]), "Д"],
  ])("%s", (type, bytes, text) => {
    expect(parseBody(type, bytes)).toEqual({
      fields: { body: text, bodyRaw: text, body_b64: base64(bytes) },
      warnings: [],
    });
  });

  it.each([
    ["application/json; charset=utf-16le", utf16],
    ["application/json; charset=utf-16be", big],
    ["application/json; charset=iso-8859-1", latin('{"a":"\u00e9"}')],
    ["application/vnd.api+json; v=1; charset=windows-1252", latin('{"a":"\u00e9"}')],
  ])("parses %s", (type, bytes) => {
    const { fields } = parseBody(type, bytes);
    expect(fields).toEqual({ body: { a: "é" }, bodyRaw: '{"a":"é"}', body_b64: base64(bytes) });
  });

  it("needs no bytes beside the text where they are the same in UTF-8", () => {
    for (const type of ["text/plain; charset=iso-8859-1", "text/plain; charset=us-ascii", "text/plain; charset=UTF8"])
      expect(parseBody(type, latin("plain"))).toEqual({ fields: { body: "plain", bodyRaw: "plain" }, warnings: [] });
  });

  it("carries the bytes where valid UTF-8 was declared to be something else", () => {
    const bytes = Buffer.from("é");
    expect(parseBody("text/plain; charset=iso-8859-1", bytes).fields).toEqual({
      body: "Ã©",
      bodyRaw: "Ã©",
      body_b64: base64(bytes),
    });
  });

  it("reads an unknown charset as UTF-8, and warns", () => {
    for (const charset of ["utf-7", "none", "x".repeat(500)]) {
      const { fields, warnings } = parseBody(`application/json; charset="${charset}"`, Buffer.from('{"a":1}'));
      expect(fields).toEqual({ body: { a: 1 }, bodyRaw: '{"a":1}' });
      expect(warnings).toEqual([
        `The charset "${charset.slice(0, 60)}" of the request's body is unknown: it was read as UTF-8, and body_b64 has the bytes where they are not`,
      ]);
    }
  });

  it("does not warn of a charset that is no text's, or empty", () => {
    for (const type of ["image/png; charset=binary", "text/plain; charset=", "text/plain; charset"])
      expect(parseBody(type, Buffer.from("a")).warnings).toEqual([]);
  });

  it("keeps JSON as text when its bytes are not of its charset", () => {
    const bytes = Buffer.from([0x22, 0x93, 0x22]);
    for (const charset of ["utf-8", "shift_jis", "utf-16le"]) {
      const { fields } = parseBody(`application/json; charset=${charset}`, bytes);
      expect(typeof fields.body).toBe("string");
      expect(fields.body_b64).toBe(base64(bytes));
    }
  });

  it("parses JSON with any parameters of its type", () => {
    for (const type of ["application/json; v=1", "application/json;odata=verbose", "Application/JSON ; a=b; c=d"])
      expect(parseBody(type, Buffer.from("[1]")).fields.body).toEqual([1]);
  });
});

describe("S47 multipart", () => {
  const type = "multipart/form-data; boundary=line";
  const part = (headers: string, value: string): string => `--line\r\n${headers}\r\n\r\n${value}\r\n`;
  const field = (name: string, value: string): string => part(`Content-Disposition: form-data; name="${name}"`, value);
  const form = (...parts: string[]) => parseBody(type, latin(`${parts.join("")}--line--\r\n`));

  it("leaves out parts without a name, and keeps the named ones", () => {
    for (const nameless of [
      part("Content-Type: text/plain", "lost"),
      part("Content-Disposition: form-data", "lost"),
      part('Content-Disposition: form-data; filename="a.txt"', "lost"),
      "--line\r\n\r\nlost\r\n",
    ]) {
      for (const parts of [
        [nameless, field("a", "1")],
        [field("a", "1"), nameless],
      ]) {
        const { fields, warnings } = form(...parts);
        expect(fields.body).toEqual({ a: "1" });
        expect(warnings).toEqual(["A part of the multipart body had no name and was left out"]);
      }
      expect(form(nameless, field("a", "1"), nameless).warnings).toEqual([
        "2 parts of the multipart body had no name and were left out",
      ]);
    }
  });

  it("reads the text of a field in its own charset, or in that of _charset_", () => {
    const typed = (name: string, charset: string, value: string): string =>
      part(`Content-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain; charset=${charset}`, value);
    expect(form(typed("a", "iso-8859-1", "\u00e9"), typed("b", "windows-1252", "\u0080")).fields.body).toEqual({
      a: "é",
      b: "€",
    });
    expect(
      form(field("_charset_", "windows-1251"), field("a", "\u00c4"), typed("b", "latin1", "\u00c4")),
    ).toMatchObject({
      fields: { body: { _charset_: "windows-1251", a: "Д", b: "Ä" } },
      warnings: [],
    });
    expect(form(typed("a", "nope", "x"), typed("b", "nope", "y"))).toMatchObject({
      fields: { body: { a: "x", b: "y" } },
      warnings: [expect.stringContaining('The charset "nope"')],
    });
  });

  it("reads names as clients write them", () => {
    const disposed = (rest: string) => form(part(`Content-Disposition: form-data${rest}`, "v")).fields.body;
    expect(disposed("; name=plain")).toEqual({ plain: "v" });
    expect(disposed('; NAME="a"')).toEqual({ a: "v" });
    expect(disposed(';name="a;b"')).toEqual({ "a;b": "v" });
    expect(disposed('; name="a%22b%0D%0A"')).toEqual({ 'a"b\r\n': "v" });
    expect(disposed(String.raw`; name="a\"b\\"`)).toEqual({ 'a"b\\': "v" });
    expect(disposed(String.raw`; name="f"; filename="C:\x.txt"`)).toMatchObject({
      f: { filename: String.raw`C:\x.txt` },
    });
    expect(disposed(`; name="f"; filename="x"; filename*=UTF-8''%e2%82%ac.txt`)).toMatchObject({
      f: { filename: "€.txt" },
    });
    expect(disposed(`; name="f"; filename*=iso-8859-1'en'%e9`)).toMatchObject({ f: { filename: "é" } });
  });

  it("reads what the forms of other parsers are tested with", () => {
    expect(parseBody(type, latin(`preamble\r\n${field("a", "1")}--line--epilogue`)).fields.body).toEqual({ a: "1" });
    expect(parseBody(type, latin("--line--\r\n")).fields.body).toEqual({});
    expect(form("--line \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n").fields.body).toEqual({ a: "1" });
    expect(form("--line\r\nContent-Disposition: form-data; name=a\r\n\r\n").fields.body).toEqual({ a: "" });
    expect(form(field("a", "--line2\r\n--lines--\r\n-- line")).fields.body).toEqual({
      a: "--line2\r\n--lines--\r\n-- line",
    });
    expect(
      form(part('Content-Disposition: form-data; name="f"; filename=""\r\nContent-Transfer-Encoding: Base64', "aGk="))
        .fields.body,
    ).toEqual({ f: { filename: "", mimetype: "text/plain", size: 2, content_b64: "aGk=" } });
    for (const broken of [
      "--line\r\nContent-Disposition: form-data; name=a\r\n",
      `--line\r\nX: ${"x".repeat(20_000)}\r\n\r\n1\r\n`,
    ])
      expect(typeof form(broken).fields.body).toBe("string");
  });
});
