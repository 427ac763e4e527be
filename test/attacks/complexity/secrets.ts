import { errorRecord } from "../../../packages/runtime/src/invocation/records/error-record.ts";
import { secretMask, type SecretMask } from "../../../packages/runtime/src/invocation/secrets/secret-mask.ts";
import type { Component, Json, Source } from "../../../packages/model/src/model.ts";
import { inSlices } from "../../../packages/model/src/process/slices.ts";
import type { ComplexInput } from "./complex-input.ts";

const component = { shape: { props: [] } } as unknown as Component;
const source = { configuredProps: {} } as unknown as Source;
const maskOf = (secrets: Json): SecretMask => secretMask(component, source, { app: secrets });

/** Masks a text as the record of a run does, for a source with these secrets. */
function masking(secrets: Json, value: Json): () => unknown {
  const mask = maskOf(secrets);
  const json = JSON.stringify(value);
  return () => inSlices(mask.json(json));
}

/** Records that the run of an event failed. */
function failing(event: string): () => unknown {
  const mask = maskOf(["aaaaaa", "abcabc"]);
  const failed = { executionId: "", type: "HTTP", entry: "run", event, at: 1 } as const;
  const error = { code: "component_threw", name: "Error", message: "", stack: "" } as const;
  return () => inSlices(errorRecord(source, failed, error, { now: 1, mask }));
}

type Row = readonly [id: string, size: number, secrets: (size: number) => Json, text: (size: number) => string];

const oneSecret = (): Json => "a-secret-of-somebody";
const beginning = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzb21lYm9keSIsInN1YiI6";
const alike = (count: number, end: string): string[] =>
  Array.from({ length: count }, (_, index) => `${beginning}${end}${index}`);

const rows: readonly Row[] = [
  ["hex", 256 * 1024, oneSecret, (size) => "4a".repeat(size / 2)],
  ["base64", 512 * 1024, oneSecret, (size) => "QUJD".repeat(size / 4)],
  ["query", 256 * 1024, oneSecret, (size) => "%41".repeat(size / 3)],
  ["query-with-spaces", 256 * 1024, oneSecret, (size) => "%41+".repeat(size / 4)],
  ["json-in-json", 256 * 1024, oneSecret, (size) => String.raw`\\\u0041`.repeat(size / 8)],
  ["short-words", 512 * 1024, oneSecret, (size) => "abcdefghijklmnop ".repeat(size / 17)],
  ["occurrences", 512 * 1024, () => "aaaaaa", (size) => "a".repeat(size)],
  ["overlapping", 512 * 1024, () => ["abcabc", "bcabcabca", "cabcabcabcabc"], (size) => "abc".repeat(size / 3)],
  [
    "common-beginning",
    20_000,
    (size) => alike(size, "x".repeat(200)),
    (size) => `${beginning}${"x".repeat(200)}`.repeat(size / 100),
  ],
  [
    "nearly-a-key",
    200_000,
    (size) => ["aaaaaa", ...Array.from({ length: size / 100 }, (_, n) => "a".repeat(60) + n)],
    (size) => "a".repeat(size),
  ],
];

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;
const largest = 6 * 1024 * 1024;
/** Events of the largest size, by what they repeat. */
const repeated = {
  objects: '{"a":1}',
  lists: "[]",
  numbers: "1234567",
  words: '"abcdefgh ijklmnop"',
  found: '"aaaaaa"',
};

/** Texts in which secrets are searched. */
export const secretInputs: readonly ComplexInput[] = [
  ...rows.map(([id, size, secrets, text]) => ({
    id: `secrets-in-${id}`,
    ...kind,
    size,
    prepare: (count: number) => masking(secrets(count), { body: text(count) }),
  })),
  ...Object.entries(repeated).map(([id, item]) => ({
    id: `secrets-in-event-of-${id}`,
    ...kind,
    size: largest,
    prepare: (size: number) => failing(`[${`${item},`.repeat(size / (item.length + 1))}0]`),
  })),
  {
    id: "secrets-in-event-of-escapes",
    ...kind,
    size: largest,
    prepare: (size) => failing(JSON.stringify(String.raw`\\\u0041`.repeat(size / 12))),
  },
  {
    id: "secrets-many",
    ...kind,
    size: 40_000,
    prepare: (size) => () => maskOf(Array.from({ length: size }, (_, n) => `${n}-token`)).text("a text"),
  },
];
