import { hostOp } from "../ops.ts";
import { createEmit } from "./emit.ts";
import { fetch } from "./fetch.ts";
import { log, send } from "./host.ts";
import { requireJson, writeJson } from "./json-text.ts";
import type { HttpInterface } from "./respond.ts";
import type { CallData } from "./self.ts";
import { btoa } from "./text.ts";
import { URL } from "./url.ts";

const { parse } = JSON;

/** Thrown by `$.flow.exit` to stop the step. */
export class FlowExit extends Error {
  override readonly name = "FlowExit";
}

/** The JSON text of an exported value. Throws an ExportSerializationError that names the part without one. */
export const exportText = (value: unknown, subject: string): string =>
  requireJson(value, { subject, what: subject, path: "value", error: "ExportSerializationError" });

const reserved: readonly unknown[] = ["$return_value", "__proto__"];

function readKey(key: unknown): string {
  if (typeof key !== "string" || key === "")
    throw new TypeError(
      `$.export: the key must be a non-empty string, got ${typeof key === "string" ? '""' : typeof key}`,
    );
  if (reserved.includes(key))
    throw new TypeError(`$.export: the key must not be "${key}", which has a meaning already`);
  return key;
}

/** A request of `$.send.http`. */
interface Sending {
  readonly method?: unknown;
  readonly url?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly auth?: { readonly username?: unknown; readonly password?: unknown };
}

async function sendHttp({ method, url, params = {}, headers = {}, data, auth }: Sending): Promise<void> {
  const target = new URL(String(url));
  for (const key of Object.keys(params)) target.searchParams.append(key, String(params[key]));
  const isText = typeof data === "string" || data === undefined;
  const body = isText ? data : writeJson(data, "$.send.http", "data");
  const basic = auth && `Basic ${btoa(`${String(auth.username ?? "")}:${String(auth.password ?? "")}`)}`;
  const response = await fetch(String(target), {
    method: String(method ?? (body === undefined ? "GET" : "POST")),
    headers: {
      ...(!isText && { "content-type": "application/json" }),
      ...(basic !== undefined && { authorization: basic }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  if (!response.ok) log("warn", `$.send.http: ${String(url)} answered ${response.status}`, "[]");
}

/** A function that this runtime lacks; its error is clearer than "not a function". */
function unsupported(name: string, instead: string): () => never {
  return () => {
    throw new Error(`${name} is not available in this runtime; ${instead}`);
  };
}

const others = ["email", "s3", "snowflake", "datastore"] as const;
const waits = ["delay", "suspend", "rerun"] as const;

/** Shared by the steps of one run: none runs after an exit. */
export interface Ending {
  exited: boolean;
}

export interface ServicesOptions {
  readonly respond: HttpInterface["respond"];
  readonly ending: Ending;
  /** Begins the log line of `$.flow.exit`. */
  readonly where: string;
}

/** The services of a step or action. */
export interface Services {
  readonly $: object;
  /** JSON texts by key, as of the call of `$.export`. */
  readonly exports: ReadonlyMap<string, string>;
  /** Runs `work` and waits for its requests; `returned` names the return value in errors. True: the workflow ends. */
  run(work: () => unknown, returned: string): Promise<boolean>;
}

export function createServices(data: CallData, { respond, ending, where }: ServicesOptions): Services {
  const exports = new Map<string, string>();
  const sending: Promise<void>[] = [];
  const emit = createEmit(data);
  const $ = {
    context: parse(exportText(data.workflow?.context ?? null, "The context")) as unknown,
    export(key: unknown, value: unknown): void {
      const known = readKey(key);
      exports.set(known, exportText(value, `$.export("${known}")`));
    },
    send: {
      emit,
      http(request: Sending): void {
        const sent = sendHttp(request).catch((error: unknown) => {
          const { message, cause } = error as Error;
          const why = cause instanceof Error ? cause.message : message;
          log("error", `$.send.http failed: ${why}`, "[]");
        });
        sending.push(sent);
      },
      sse: ({ channel, payload }: { channel?: unknown; payload?: unknown }) => emit(payload, { name: channel }),
      ...Object.fromEntries(others.map((name) => [name, unsupported(`$.send.${name}`, "call the service with fetch")])),
    },
    flow: {
      exit(reason?: unknown): never {
        if (!ending.exited) send(hostOp.exit, "");
        ending.exited = true;
        log("info", `${where}${reason === undefined ? "" : `: ${String(reason)}`}`, "[]");
        throw new FlowExit("The workflow ends here");
      },
      ...Object.fromEntries(
        waits.map((name) => [
          name,
          unsupported(`$.flow.${name}`, "store pending work in $.service.db, and use a timer"),
        ]),
      ),
    },
    respond,
  };
  return {
    $,
    exports,
    async run(work, returned) {
      try {
        const result: unknown = await work();
        if (!ending.exited && result !== undefined) exports.set("$return_value", exportText(result, returned));
      } catch (error) {
        if (!(error instanceof FlowExit)) throw error;
      } finally {
        await Promise.all(sending);
      }
      return ending.exited;
    },
  };
}
