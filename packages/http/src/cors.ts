import { XError } from "@x/runtime";

import type { Answer } from "./answer.ts";

export interface CorsOptions {
  /** Allowed origins, such as `https://app.example.com`; `*` allows all. */
  readonly origins: readonly string[];
}

/** Cross-origin rules. Pages send the API key themselves; there are no cookies. */
export interface Cors {
  /** The answer to a preflight request; undefined for other requests and origins that are not allowed. */
  preflight(request: Request, methods: readonly string[]): Answer | undefined;
  /** The answer with CORS headers. */
  expose(request: Request, answer: Answer): Answer;
}

const usedHeaders = "authorization, content-type, last-event-id";
const preflightSeconds = 600;

function parseOrigin(text: string): string {
  if (text === "*" || (URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new XError("invalid_options", ["cors.origins", 'origins such as "https://app.example.com", or "*"', text]);
}

/** Rules for these origins. Throws `invalid_options` for a malformed one. */
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
      const isPreflight = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
      const headers = headersFor(request);
      if (!isPreflight || headers.length === 1) return undefined;
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
