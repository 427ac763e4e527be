import type { PlainRequest } from "@x/runtime";

import { createEndpointNames } from "./endpoint-names.ts";
import { type Exchange, recordedHeaders } from "./recording.ts";
import { createScrub } from "./scrub.ts";

/** Exchanges as a recording has them: without secrets, and without what is different each time. */
export interface WrittenForm {
  /** A source begins, with these secrets; those of others before it stay secret. */
  begin(secrets: readonly string[]): void;
  request(request: PlainRequest): Exchange["request"];
  response(response: Response, bytes: Uint8Array): Exchange["response"];
  /** Recorded text, as the component is to see it. */
  replayed(text: string): string;
}

/** `names` are further names of fields that are secret. `isEachAnew`: every source begins as if it were the first. */
export function createWrittenForm(names: readonly string[] | undefined, isEachAnew: boolean): WrittenForm {
  const known = new Set<string>();
  let scrub = createScrub([], names);
  let endpoints = createEndpointNames();
  const bodyOf = (text: string): string => scrub.body(endpoints.recorded(text));

  function contentOf(bytes: Uint8Array): { readonly body?: string; readonly bytes?: string } {
    if (bytes.byteLength === 0) return {};
    try {
      return { body: bodyOf(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
    } catch {
      return { bytes: Buffer.from(bytes).toString("base64") };
    }
  }
  return {
    begin(secrets) {
      for (const secret of secrets) known.add(secret);
      scrub = createScrub([...known], names);
      if (isEachAnew) endpoints = createEndpointNames();
    },
    request({ method, url, body }) {
      const asked = { method, url: scrub.url(endpoints.recorded(url)) };
      return body && body.byteLength > 0 ? { ...asked, body: bodyOf(new TextDecoder().decode(body)) } : asked;
    },
    response({ status, headers: given }, bytes) {
      const headers = [...given].map(([name, value]): [string, string] => [name, endpoints.recorded(value)]);
      return { status, headers: recordedHeaders(scrub.headers(headers)), ...contentOf(bytes) };
    },
    replayed: (text) => endpoints.replayed(text),
  };
}
