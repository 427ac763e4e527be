import { maskedJson } from "../../../packages/runtime/src/executions/masked.ts";
import { secretMask } from "../../../packages/runtime/src/invocation/secrets/secret-mask.ts";
import type { Component, Json, Source } from "../../../packages/runtime/src/model/model.ts";
import type { ComplexInput } from "./complex-input.ts";

/** Masks a text as the record of a run does, for a source with these secrets. */
function masking(secrets: Json, value: Json): () => unknown {
  const component = { shape: { props: [] } } as unknown as Component;
  const source = { configuredProps: {} } as unknown as Source;
  const mask = secretMask(component, source, { app: secrets });
  const json = JSON.stringify(value);
  return () => maskedJson(json, mask);
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

/** Texts in which secrets are searched. */
export const secretInputs: readonly ComplexInput[] = rows.map(([id, size, secrets, text]) => ({
  id: `secrets-in-${id}`,
  class: "algorithmic complexity",
  promise: "main-thread-free",
  size,
  prepare: (count) => masking(secrets(count), { body: text(count) }),
}));
