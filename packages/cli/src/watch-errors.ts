import type { Json, Runtime } from "@x/runtime";

interface ErrorRecord {
  readonly error?: { readonly msg?: Json };
}

/** The message in the payload of a `$errors` event. */
export function errorMessage(payload: string): string {
  const message = (JSON.parse(payload) as ErrorRecord).error?.msg;
  return typeof message === "string" ? message : "unknown error";
}

/** Tells about every failed run, whoever its owner, until the runtime closes. */
export async function watchErrors(runtime: Runtime, tell: (source: string, message: string) => void): Promise<void> {
  for await (const { event, source } of runtime.events({ stream: "$errors", everyUser: true })) {
    tell(source.name, errorMessage(event.payload));
  }
}
