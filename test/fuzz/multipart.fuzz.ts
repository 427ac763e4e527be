import { isDeepStrictEqual } from "node:util";

import {
  array,
  type Arbitrary,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  string,
  stringMatching,
  tuple,
  uint8Array,
} from "fast-check";
import type { EndpointRequest } from "@x/runtime";

import { httpEvent, joinBody, storedRequest } from "../../packages/runtime/src/http/request-event.ts";
import { type Damage, damaged, someDamage } from "./damage.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { jsonValue, oddText } from "./odd-values.ts";

interface Part {
  readonly name: string;
  /** Absent for a field. */
  readonly filename?: string;
  readonly type?: string;
  readonly content: string;
}

/** A well-formed form, or a body with a content type; contents are base64. */
type Input =
  | { readonly boundary: string; readonly parts: readonly Part[]; readonly damage?: readonly Damage[] }
  | { readonly contentType: string | null; readonly body: string };

const bytes = uint8Array({ maxLength: 60 }).map((value) => Buffer.from(value).toString("base64"));
const content = oneof(
  bytes,
  oddText.map((text) => Buffer.from(text.toWellFormed()).toString("base64")),
  constantFrom("\r\n", "--", "\r\n--x", "--x--", "\n").map((text) => Buffer.from(text).toString("base64")),
  integer({ min: 4_000, max: 9_000 }).map((size) => Buffer.alloc(size, "b").toString("base64")),
);
const partName = oneof(
  constantFrom(
    "a",
    "b",
    "__proto__",
    "constructor",
    "",
    " ",
    "a b",
    "é",
    "\u{1F600}",
    "a[]",
    "a;b",
    "filename",
    "%22",
    "_charset_",
  ),
  stringMatching(/^[\w .;=%-]{0,12}$/),
);
const part: Arbitrary<Part> = record(
  {
    name: partName,
    filename: oneof(
      constantFrom("", "a.txt", "é.png", "__proto__", "a;b.txt", "../../x"),
      stringMatching(/^[\w .;=-]{0,12}$/),
    ),
    type: constantFrom("text/plain", "image/png", "application/json", "text/html; charset=utf-8"),
    content,
  },
  { requiredKeys: ["name", "content"], noNullPrototype: true },
);
const damage = someDamage(
  constantFrom(
    "",
    "\r\n",
    "\n",
    "\r",
    "--",
    "\0",
    '"',
    ";",
    ":",
    "\r\n\r\n",
    "Content-Disposition: form-data\r\n",
    "; filename*=utf-8''%ff",
    "\\",
  ),
  { maxAt: 400, maxLength: 12 },
  4,
);
const boundary = oneof(
  constantFrom("x", "----WebKitFormBoundaryAbC", "'()+_,-./:=?"),
  stringMatching(/^[0-9A-Za-z]{1,70}$/),
);

const input: Arbitrary<Input> = oneof(
  { weight: 4, arbitrary: record({ boundary, parts: array(part, { maxLength: 5 }) }, { noNullPrototype: true }) },
  {
    weight: 4,
    arbitrary: record({ boundary, parts: array(part, { maxLength: 3 }), damage: damage }, { noNullPrototype: true }),
  },
  {
    weight: 3,
    arbitrary: record(
      {
        contentType: option(
          oneof(
            constantFrom(
              "application/json",
              "text/JSON; charset=latin1",
              "application/ld+json",
              "multipart/form-data",
              "multipart/form-data; boundary=",
              'multipart/form-data; boundary="x',
              "multipart/form-data; boundary=x; boundary=y",
              `multipart/form-data; boundary=${"x".repeat(300)}`,
              "MULTIPART/FORM-DATA;BOUNDARY=x",
              "multipart/form-data ; boundary=\u00e9",
              "application/x-www-form-urlencoded",
              "application/x-www-form-urlencoded; charset=windows-1251",
              "text/plain; charset=utf-16le",
              "text/plain; charset=iso-2022-jp",
              'text/plain; charset="utf-7"',
              "",
              ";",
            ),
            string({ maxLength: 30 }),
          ),
        ),
        body: oneof(
          bytes,
          jsonValue.map((value) => Buffer.from(JSON.stringify(value)).toString("base64")),
          tuple(constantFrom("[", '{"a":', '"\\'), integer({ min: 1, max: 6_000 })).map(([text, times]) =>
            Buffer.from(text.repeat(times)).toString("base64"),
          ),
          constantFrom(
            "\ufeff{}",
            '{"a":1,"a":2}',
            '{"__proto__":1}',
            "1e999",
            "-0",
            '"\\ud800"',
            "--x--\r\n",
            "--x\r\n\r\n",
          ).map((text) => Buffer.from(text).toString("base64")),
        ),
      },
      { noNullPrototype: true },
    ),
  },
);

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");

function writeForm(mark: string, parts: readonly Part[]): Buffer {
  const heads = parts.map(({ name, filename, type }) => {
    const file = filename === undefined ? "" : `; filename="${filename.replaceAll('"', "%22")}"`;
    const typed = type === undefined ? "" : `Content-Type: ${type}\r\n`;
    return `--${mark}\r\nContent-Disposition: form-data; name="${name.replaceAll('"', "%22")}"${file}\r\n${typed}\r\n`;
  });
  return Buffer.concat([
    ...parts.flatMap(({ content: data }, index) => [
      Buffer.from(heads[index] ?? ""),
      fromBase64(data),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${mark}--\r\n`),
  ]);
}

/** Browsers write quotes and line ends this way. */
const decodeName = (text: string): string =>
  text.replaceAll(/%22/g, '"').replaceAll(/%0a/gi, "\n").replaceAll(/%0d/gi, "\r");

/** The fields as the documentation says: texts, files with their bytes, and a list for a repeated name. */
function expectedForm(parts: readonly Part[]): unknown {
  const fields = new Map<string, unknown[]>();
  for (const { name, filename, type, content: data } of parts) {
    const content_b64 = fromBase64(data);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content_b64);
    const file = {
      filename: filename && decodeName(filename),
      mimetype: type ?? "text/plain",
      size: content_b64.length,
      content_b64: data,
    };
    const field = decodeName(name);
    fields.set(field, [...(fields.get(field) ?? []), filename === undefined ? text : file]);
  }
  return Object.fromEntries([...fields].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

const requestOf = (contentType: string | null, body: Buffer): EndpointRequest => ({
  method: "POST",
  path: "/",
  url: "http://e.test/",
  search: "",
  headers: contentType === null ? [] : [["Content-Type", contentType]],
  body,
  clientIp: "127.0.0.1",
});

function differs(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(
    `${what} is ${JSON.stringify(actual)?.slice(0, 800)}, not ${JSON.stringify(expected)?.slice(0, 800)}`,
  );
}

async function check(given: Input): Promise<void> {
  const isForm = "parts" in given;
  const contentType = isForm ? `multipart/form-data; boundary="${given.boundary}"` : given.contentType;
  const body = isForm
    ? damaged(writeForm(given.boundary, given.parts), given.damage ?? [], "utf8")
    : fromBase64(given.body);
  // No client chooses a boundary that is in the content.
  if (isForm && given.parts.some(({ content: data }) => fromBase64(data).includes(`--${given.boundary}`))) return;
  const request = requestOf(contentType, body);
  const event = JSON.parse(JSON.stringify(httpEvent(request).event)) as Record<string, unknown>;
  const stored = storedRequest(request);
  const joined = stored.body ? joinBody(stored.event, stored.body).event : stored.event;
  differs("the event after it was stored", JSON.parse(joined), event);
  const { bodyRaw, body_b64, body: parsed } = event;
  const exact = typeof body_b64 === "string" ? fromBase64(body_b64) : Buffer.from(String(bodyRaw));
  differs("the received body", exact.toString("hex"), body.toString("hex"));
  if (body.length === 0) differs("the body of nothing", parsed, undefined);
  else if (isForm && !given.damage) differs("the form", parsed, expectedForm(given.parts));
  else if (typeof parsed === "string" && !/json/i.test(contentType ?? "")) differs("the text", parsed, bodyRaw);
}

export const multipartFuzzer: Fuzzer = {
  name: "multipart",
  about: "the body of a request is in its event with all bytes, forms by their fields, and damaged ones as text",
  runs: 1_000,
  open: async () => defineTarget<Input>({ arbitrary: input, property: check }),
};
