import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import type { PlainReply } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";

type Headers = readonly (readonly [string, string])[];

/** One exchange with an upstream, without its secrets. */
export interface Exchange {
  readonly request: { readonly method: string; readonly url: string; readonly body?: string };
  readonly response: {
    readonly status: number;
    readonly headers: Headers;
    /** Text, or bytes in base64 under `bytes`. */
    readonly body?: string;
    readonly bytes?: string;
  };
}

const version = 1;

/** Reads a recording; undefined when there is no file. Throws `HarnessError` for a file that is not a recording. */
export function findRecording(file: string): Exchange[] | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const read = JSON.parse(text) as { version?: unknown; exchanges?: unknown };
    if (read.version === version && Array.isArray(read.exchanges)) return read.exchanges as Exchange[];
  } catch {
    // The error below covers this case.
  }
  throw new HarnessError(`${file} is not a cassette of this version; delete it, and the next run records it again.`);
}

export function writeRecording(file: string, exchanges: readonly Exchange[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ version, exchanges }, undefined, 2)}\n`);
}

/** Headers of the connection, and those that depend on the time. */
const unrecorded = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

export const recordedHeaders = (headers: Iterable<readonly [string, string]>): [string, string][] =>
  [...headers].flatMap(([name, value]): [string, string][] =>
    unrecorded.has(name.toLowerCase()) ? [] : [[name, value]],
  );

/** The recorded answer; `withPresentKeys` replaces endpoint numbers in text. */
export function replayed({ response }: Exchange, withPresentKeys: (text: string) => string): PlainReply {
  const { status, body = "", bytes } = response;
  const headers = response.headers.map(([name, value]): [string, string] => [name, withPresentKeys(value)]);
  return {
    status,
    headers,
    body: bytes === undefined ? Buffer.from(withPresentKeys(body)) : Buffer.from(bytes, "base64"),
  };
}
