import { existsSync } from "node:fs";

import type { PlainRequest } from "@x/runtime";

import type { Answerer } from "../traffic/upstream.ts";
import { isSame } from "./drift.ts";
import { type Exchange, recordedHeaders, replayed, writeRecording } from "./recording.ts";
import type { WrittenForm } from "./written-form.ts";

/** Sends the request over the network. */
function send({ method, url, headers, body, signal }: PlainRequest): Promise<Response> {
  const init: RequestInit = { method, headers: headers.map(([...pair]) => pair), redirect: "manual", signal };
  if (body && body.byteLength > 0) init.body = Uint8Array.from(body);
  return fetch(url, init);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}

/**
 * Sends requests to the upstreams and writes the recording at `close`. When an upstream could not be reached it writes
 * nothing; an existing recording stays. `isRepeated`: a request equal to one already recorded is answered from the recording.
 */
export function record(file: string, form: WrittenForm, isRepeated: boolean): Answerer {
  const exchanges: Exchange[] = [];
  let isComplete = true;
  return {
    begin: form.begin,
    async answer(request) {
      const recorded = form.request(request);
      const known = isRepeated ? exchanges.find((exchange) => isSame(exchange.request, recorded)) : undefined;
      if (known) return replayed(known, form.replayed);
      try {
        const response = await send(request);
        const bytes = await response.bytes();
        exchanges.push({ request: recorded, response: form.response(response, bytes) });
        return { status: response.status, headers: recordedHeaders(response.headers), body: bytes };
      } catch (error) {
        isComplete = false;
        throw new Error(`${reasonOf(error)}; nothing is recorded`, { cause: error });
      }
    },
    close() {
      if (isComplete && (exchanges.length > 0 || existsSync(file))) writeRecording(file, exchanges);
    },
  };
}
