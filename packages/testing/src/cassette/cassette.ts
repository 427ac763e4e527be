import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import type { PlainRequest } from "@x/runtime";

import { type AnyFunction, callerFrames, fileOfFrames } from "../frames.ts";
import { HarnessError } from "../harness-error.ts";
import type { Answerer } from "../upstream.ts";
import { CassetteError, isSame, unplayedText, unrecordedText } from "./drift.ts";
import { type CassetteMode, chosenMode } from "./mode.ts";
import { type Exchange, findRecording, recordedHeaders, replayed, writeRecording } from "./recording.ts";
import { createScrub, type Scrub } from "./scrub.ts";

export interface CassetteOptions {
  readonly mode?: CassetteMode;
  /** Names of headers, query parameters and fields whose values are not recorded, beside those that are known. */
  readonly scrub?: readonly string[];
}

/** A name: `__cassettes__/<name>.json` beside the test; else the file itself. */
function fileOf(name: string | URL, below: AnyFunction): string {
  if (name instanceof URL || name.startsWith("file:")) return fileURLToPath(name);
  if (name.endsWith(".json")) return resolve(name);
  if (!/^[\w.-]+$/.test(name))
    throw new HarnessError(
      `A cassette has a name of letters, digits, dots and dashes, or is a file that ends in .json; got "${name}".`,
    );
  const test = fileOfFrames(callerFrames(below));
  return resolve(test === undefined ? "." : `${test}/..`, "__cassettes__", `${name}.json`);
}

/**
 * Records real exchanges the first time and replays them from then on: `routes: cassette("three-pages")`. Secrets are not
 * recorded. A request that is not in the recording fails the test, and so does a recorded one that is not made.
 */
export function cassette(name: string | URL, options: CassetteOptions = {}): Answerer {
  const file = fileOf(name, cassette);
  const mode = chosenMode(options.mode);
  const recording = mode === "record" ? undefined : findRecording(file);
  if (!recording && mode === "replay")
    throw new HarnessError(
      `There is no cassette ${file}, and none is recorded here. Run the test where CI is not set, then commit the file.`,
    );
  let scrub = createScrub([], options.scrub);
  const begin = (secrets: readonly string[]): void => {
    scrub = createScrub(secrets, options.scrub);
  };
  return recording ? { begin, ...replay(recording, file, () => scrub) } : { begin, ...record(file, () => scrub) };
}

function askedOf({ method, url, body }: PlainRequest, scrub: Scrub): Exchange["request"] {
  const asked = { method, url: scrub.url(url) };
  return body && body.byteLength > 0 ? { ...asked, body: scrub.body(new TextDecoder().decode(body)) } : asked;
}

/** Sends it for real. */
function send({ method, url, headers, body, signal }: PlainRequest): Promise<Response> {
  const given: RequestInit = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    redirect: "manual",
    signal,
  };
  if (body && body.byteLength > 0) given.body = Uint8Array.from(body);
  return fetch(url, given);
}

function replay(recording: readonly Exchange[], file: string, scrub: () => Scrub): Answerer {
  const used = new Set<Exchange>();
  let problem: string | undefined;
  return {
    answer(request) {
      const asked = askedOf(request, scrub());
      const found = recording.find((exchange) => !used.has(exchange) && isSame(exchange.request, asked));
      if (!found) {
        const played = new Set([...used].map((exchange) => exchange.request));
        const requests = recording.map((exchange) => exchange.request);
        problem ??= unrecordedText(asked, requests, played, file);
        return Promise.reject(new Error(`the cassette has no recording of ${asked.method} ${asked.url}`));
      }
      used.add(found);
      return Promise.resolve(replayed(found));
    },
    check() {
      const text = problem;
      problem = undefined;
      if (text !== undefined) throw new CassetteError(text);
    },
    close() {
      const unplayed = recording.filter((exchange) => !used.has(exchange)).map(({ request }) => request);
      if (unplayed.length > 0) throw new CassetteError(unplayedText(unplayed, file));
    },
  };
}

function record(file: string, scrub: () => Scrub): Answerer {
  const exchanges: Exchange[] = [];
  return {
    async answer(request) {
      const asked = askedOf(request, scrub());
      const response = await send(request);
      const bytes = await response.bytes();
      const headers = recordedHeaders(scrub().headers(response.headers));
      exchanges.push({ request: asked, response: { status: response.status, headers, ...contentOf(bytes, scrub()) } });
      return { status: response.status, headers: recordedHeaders(response.headers), body: bytes };
    },
    check: () => writeRecording(file, exchanges),
    close: () => writeRecording(file, exchanges),
  };
}

function contentOf(bytes: Uint8Array, scrub: Scrub): { readonly body?: string; readonly bytes?: string } {
  if (bytes.byteLength === 0) return {};
  try {
    return { body: scrub.body(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { bytes: Buffer.from(bytes).toString("base64") };
  }
}
