import type { Arguments, Flag } from "../arguments/arguments.ts";
import { environment } from "../environment.ts";
import { parseOrigin } from "../arguments/runtime-flags.ts";
import { EnvironmentError } from "../errors.ts";
import { createRestClient, type RestClient, type Send } from "./rest-client.ts";

/** The default URL of a service. */
export const defaultUrl = "http://127.0.0.1:7777";

/** Flags of every command that sends requests to a service. */
export const serviceFlags: readonly Flag[] = [
  { name: "to", alias: "url", value: "URL", about: `URL of the service (default: X_URL, else ${defaultUrl})` },
  { name: "api-key", value: "KEY", about: "API key (default: X_API_KEY, which other users cannot read with ps)" },
  { name: "json", about: "print JSON" },
];

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // After several addresses were tried, only the inner errors have messages.
  const first = cause instanceof AggregateError ? (cause.errors as unknown[])[0] : cause;
  return first instanceof Error ? first.message : String(first);
}

/** A client of the service at a URL, with or without /v1. `stop` aborts its requests. */
export function openClient(url: string, apiKey: string | undefined, stop?: AbortSignal): RestClient {
  const where = url.replace(/\/v1$/, "");
  const send: Send = (request) =>
    fetch(request, { ...(stop && { signal: stop }) }).catch((error: unknown) => {
      if (stop?.aborted) throw error;
      const reason = reasonOf(error);
      const problem = `no service answers at ${where}${reason === "" ? "" : ` (${reason})`}`;
      throw new EnvironmentError(`${problem}; start one with x serve or x dev, or set --to`);
    });
  return createRestClient(where, apiKey, send);
}

/** A client of the service in the flags. */
export function readClient(args: Arguments, stop?: AbortSignal): RestClient {
  const url = parseOrigin("to", args.text("to") ?? environment.url ?? defaultUrl);
  return openClient(url, args.text("api-key") ?? environment.apiKey, stop);
}
