import { XError } from "@x/runtime";

import type { Answer } from "./answer.ts";

export interface CorsOptions {
  /** Origins whose pages may call, such as `https://app.example.com`; `*` stands for all. */
  readonly origins: readonly string[];
}

/** Lets pages of some origins call. They send the API key themselves: cookies play no part. */
export interface Cors {
  /** The answer to a browser that asks before it calls; undefined when this is no such question, or not allowed. */
  preflight(request: Request, methods: readonly string[]): Answer | undefined;
  /** The answer with what a browser needs to show it to the page. */
  expose(request: Request, answer: Answer): Answer;
}

const usedHeaders = "authorization, content-type, last-event-id";
const preflightSeconds = 600;

function parseOrigin(text: string): string {
  if (text === "*" || (URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new XError("invalid_options", ["cors.origins", 'origins such as "https://app.example.com", or "*"', text]);
}

/** Cross-origin rules for these origins. Throws `invalid_options` for what is not an origin. */
export function createCors({ origins }: CorsOptions): Cors {
  const known = new Set(origins.map(parseOrigin));

  function headersFor(request: Request): Answer["headers"] {
    const vary = ["vary", "origin"] as const;
    const origin = request.headers.get("origin");
    if (origin === null || !(known.has(origin) || known.has("*"))) return [vary];
    return [["access-control-allow-origin", origin], vary];
  }

  return {
    preflight(request, methods) {
      const isQuestion = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      const headers = headersFor(request);
      if (!isQuestion || headers.length === 1) return undefined;
      return {
        status: 204,
        headers: [
          ["access-control-allow-methods", methods.join(", ")],
          ["access-control-allow-headers", usedHeaders],
          ["access-control-max-age", String(preflightSeconds)],
        ],
        body: null,
      };
    },
    expose(request, answer) {
      const exposed = ["access-control-expose-headers", "retry-after"] as const;
      return { ...answer, headers: [...answer.headers, ...headersFor(request), exposed] };
    },
  };
}
