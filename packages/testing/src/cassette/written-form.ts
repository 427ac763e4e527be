import type { PlainRequest } from "@x/runtime";

import { type Exchange, recordedHeaders } from "./recording.ts";
import { createScrub } from "./scrub.ts";

/** An endpoint URL as URLs, JSON and forms contain it; the last part is the key. */
const endpoint = /(127\.0\.0\.1(?::|%3A)7777(?:\\?\/|%2F)in(?:\\?\/|%2F))([0-9a-z]{28}|endpoint-\d+)(?![0-9a-z])/gi;

/** Every source has new endpoint keys, so a recording has numbers instead, in order of first use. */
interface EndpointNames {
  /** Replaces keys by numbers. */
  recorded(text: string): string;
  /** Replaces numbers by the present keys. */
  replayed(text: string): string;
}

function createEndpointNames(): EndpointNames {
  const keys: string[] = [];
  const numberOf = (key: string): number => {
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key) + 1;
  };
  return {
    recorded: (text) =>
      text.replaceAll(endpoint, (_, before: string, key: string) => `${before}endpoint-${numberOf(key)}`),
    replayed: (text) =>
      text.replaceAll(endpoint, (whole, before: string, name: string) => {
        const key = keys[Number(/^endpoint-(\d+)$/.exec(name)?.[1]) - 1];
        return key === undefined ? whole : before + key;
      }),
  };
}

/** Exchanges as a recording contains them: without secrets and without values that change with each run. */
export interface WrittenForm {
  /** Called for each new source with its secrets; those of earlier sources are still removed. */
  begin(secrets: readonly string[]): void;
  request(request: PlainRequest): Exchange["request"];
  response(response: Response, bytes: Uint8Array): Exchange["response"];
  /** Recorded text with the present endpoint keys. */
  replayed(text: string): string;
}

/** `names` are further names of secret fields. `isRepeated`: endpoint numbers start at 1 again for each source. */
export function createWrittenForm(names: readonly string[] | undefined, isRepeated: boolean): WrittenForm {
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
      if (isRepeated) endpoints = createEndpointNames();
    },
    request({ method, url, body }) {
      const request = { method, url: scrub.url(endpoints.recorded(url)) };
      return body && body.byteLength > 0 ? { ...request, body: bodyOf(new TextDecoder().decode(body)) } : request;
    },
    response({ status, headers: given }, bytes) {
      const headers = [...given].map(([name, value]): [string, string] => [name, endpoints.recorded(value)]);
      return { status, headers: recordedHeaders(scrub.headers(headers)), ...contentOf(bytes) };
    },
    replayed: (text) => endpoints.replayed(text),
  };
}
