import { isRecord, type ComponentLoader } from "@x/components";
import { XError, newSortableId, type AppEndpoint, type AppReader, type Clock, type Json, type Logger } from "@x/model";
import type { CallHost, GuestResponse, Sandbox } from "@x/sandbox";
import { type AppEvent, readEvents } from "./app-event.ts";

export interface ReadersParts {
  readonly sandbox: Pick<Sandbox, "call">;
  readonly loader: Pick<ComponentLoader, "load">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Sends the requests of a reader, as those of components. */
  fetchFor(userId: string): CallHost["fetch"];
  /** The place in the author's files of an error in a bundle. */
  explain(error: { readonly message: string; readonly stack: string }, sourceMap: string): string;
}

export interface ReaderAnswer {
  readonly events: readonly AppEvent[];
  readonly respond?: GuestResponse;
}

/** Readers of users: modules that turn requests into events. */
export interface Readers {
  /** Bundles and checks a reader. Rejects as a deploy does. */
  load(code: string): Promise<AppReader>;
  /** Calls the reader of an endpoint with the event of a request. Rejects when it throws or returns something else. */
  receive(
    endpoint: Pick<AppEndpoint, "userId" | "slug" | "reader" | "verification">,
    event: object,
  ): Promise<ReaderAnswer>;
}

const timeoutMs = 2_000;
const memoryBytes = 32 * 1024 * 1024;
const longestBundle = 512 * 1024;

/** A reader is called as a component is asked for options: it answers, and has no other effect. */
const around = `import reader from "./reader.js";
if (typeof reader?.receive !== "function") throw new TypeError("a reader exports default { receive(request) { … } }");
export default {
  key: "reader",
  name: "Reader",
  version: "0.0.1",
  props: {
    secrets: { type: "string[]" },
    events: {
      type: "any",
      options({ prevContext }) {
        return reader.receive.call({ ...reader, secrets: this.secrets }, prevContext);
      },
    },
  },
  run() {},
};`;

function refuse(expected: string, got: string): never {
  throw new XError("invalid_parameter", ["the result of receive", expected, got]);
}

const textBody = (body: unknown): string =>
  body === undefined || body === null ? "" : typeof body === "string" ? body : JSON.stringify(body);

function readRespond(given: unknown): GuestResponse | undefined {
  if (given === undefined || given === null) return undefined;
  const expected = "undefined, or an object with events and respond: {status, headers, body}";
  if (!isRecord(given)) return refuse(expected, "another respond");
  const { status = 200, headers = {}, body } = given;
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599 || !isRecord(headers))
    return refuse(expected, "another respond");
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: Number(status), headers: pairs, body: Buffer.from(textBody(body)) };
}

/** The events and the answer of what a reader returned, as JSON text. Throws `invalid_parameter`. */
export function readReaderResult(text: string | undefined): ReaderAnswer {
  const result: unknown = text === undefined ? null : JSON.parse(text);
  if (result === null) return { events: [] };
  if (!isRecord(result)) return refuse("undefined, or an object with events and respond", "something else");
  const respond = readRespond(result["respond"]);
  const events = readEvents(result["events"] ?? [], "the result of receive.events");
  return { events, ...(respond && { respond }) };
}

export function createReaders(parts: ReadersParts): Readers {
  return {
    async load(code) {
      const loaded = await parts.loader.load({ files: { "reader.js": code, "around.js": around }, entry: "around.js" });
      const { bundle, sourceMap } = loaded;
      if (bundle.length > longestBundle)
        throw new XError("invalid_parameter", [
          "code",
          `at most ${longestBundle} characters with its imports`,
          `${bundle.length}`,
        ]);
      return { code, bundle, sourceMap, hash: loaded.contentHash };
    },
    async receive({ userId, slug, reader, verification }, event) {
      if (!reader) return { events: [] };
      const isOpen = verification.scheme === "none";
      const request = { ...event, verified: !isOpen } as unknown as Json;
      const outcome = await parts.sandbox.call(
        {
          sourceId: `reader of ${userId} ${slug} ${newSortableId(parts.clock.now())}`,
          userId,
          bundle: { hash: reader.hash, code: reader.bundle },
          entry: "options",
          self: {
            props: isOpen ? { secrets: [...verification.secrets] } : { secrets: [] },
            http: {},
            timers: {},
            db: [],
            auth: {},
          },
          db: new Map(),
          event: JSON.stringify({ prop: "events", page: 0, prevContext: request }),
          dedupe: undefined,
          emit: "error",
          limits: { timeoutMs, memoryBytes },
          warm: false,
        },
        hostOf(parts.fetchFor(userId)),
      );
      if (outcome.error) {
        const { code, message } = outcome.error;
        if (code === "closed") throw new XError("closed", []);
        throw new XError("component_threw", ["receive", parts.explain(outcome.error, reader.sourceMap) || message]);
      }
      return readReaderResult(outcome.result);
    },
  };
}

const nothing = (): undefined => undefined;

/** A reader has no effect but its answer. */
const hostOf = (fetch: CallHost["fetch"]): CallHost => ({
  restart: nothing,
  emit: nothing,
  dbSet: nothing,
  log: nothing,
  step: nothing,
  respond: nothing,
  fetch,
});
