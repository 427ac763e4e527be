import { existsSync } from "node:fs";

import type { PlainRequest } from "@x/runtime";

import type { Answerer } from "../traffic/upstream.ts";
import { isSame } from "./drift.ts";
import { type Exchange, recordedHeaders, replayed, writeRecording } from "./recording.ts";
import type { WrittenForm } from "./written-form.ts";

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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}

/**
 * Asks upstreams, and writes the recording at the end; where one could not be reached none is written, and one that is
 * there stays. `isRepeated`: the same is asked once.
 */
export function record(file: string, form: WrittenForm, isRepeated: boolean): Answerer {
  const exchanges: Exchange[] = [];
  let isWhole = true;
  return {
    begin: form.begin,
    async answer(request) {
      const asked = form.request(request);
      const known = isRepeated ? exchanges.find((exchange) => isSame(exchange.request, asked)) : undefined;
      if (known) return replayed(known, form.replayed);
      try {
        const response = await send(request);
        const bytes = await response.bytes();
        exchanges.push({ request: asked, response: form.response(response, bytes) });
        return { status: response.status, headers: recordedHeaders(response.headers), body: bytes };
      } catch (error) {
        isWhole = false;
        throw new Error(`${reasonOf(error)}, and so nothing is recorded`, { cause: error });
      }
    },
    close() {
      if (isWhole && (exchanges.length > 0 || existsSync(file))) writeRecording(file, exchanges);
    },
  };
}
