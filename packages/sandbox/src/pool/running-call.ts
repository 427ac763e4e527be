import { XError, errorText, type GuestError, withMessage } from "@x/model";
import { entryTimedOut } from "../timeouts.ts";
import {
  type CallEnd,
  type SandboxCallMessage,
  type FromWorker,
  largeReply,
  type ToWorker,
} from "../thread/messages.ts";
import { CallFlight, type Flight, type Hold } from "./flight.ts";
import { callHead, callText } from "./call-text.ts";
import { isPairs } from "../thread/guest-results.ts";
import { requestFailure } from "./request-failure.ts";
import { channelOf } from "../channel.ts";
import { closedOutcome } from "../closed.ts";
import type {
  Bundle,
  CallHost,
  DataStoreCall,
  DbChange,
  GuestLog,
  GuestRequest,
  Outcome,
  RequestFailure,
  SandboxCall,
  SelfData,
} from "../contract.ts";
import type { CrashEnd, Job } from "./job.ts";

const levels: readonly string[] = ["log", "info", "warn", "error", "debug"];
const isLevel = (level: string): level is GuestLog["level"] => levels.includes(level);

/** Reads a request of the guest; undefined when it is malformed. */
function readRequest(head: string, body: Uint8Array | undefined): GuestRequest | undefined {
  const { url, method, headers, redirect, verbatim } = JSON.parse(head) as Record<string, unknown>;
  if (typeof url !== "string" || typeof method !== "string" || !isPairs(headers)) return undefined;
  if (redirect !== "follow" && redirect !== "manual" && redirect !== "error") return undefined;
  return { url, method, headers, body, redirect, verbatim: verbatim === true };
}

const dataStoreOps = ["get", "has", "set", "delete", "keys", "entries", "size"] as const;

/** Reads a call of a data store, which must be one of those of the call; undefined when it is malformed. */
function readDataStoreCall(
  head: string,
  body: Uint8Array | undefined,
  names: SelfData["dataStores"] = {},
): DataStoreCall | undefined {
  const { prop, op: given, key = "" } = (JSON.parse(head) as { dataStore: Record<string, unknown> }).dataStore;
  const op = dataStoreOps.find((each) => each === given);
  const name = typeof prop === "string" && Object.hasOwn(names, prop) ? names[prop] : undefined;
  if (op === undefined || name === undefined || typeof key !== "string") return undefined;
  if ((op === "set") !== (body !== undefined)) return undefined;
  return { name, op, key, value: body ? Buffer.from(body).toString() : "" };
}

/** The fields of the error that the component gets. */
function dataStoreFailure(error: unknown): RequestFailure {
  const { message, code } = requestFailure(error);
  // Named as the errors that the host's functions throw.
  return { message, code, name: `${code.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error` };
}

const emptyReply = { url: "", status: 200, statusText: "", headers: [], redirected: false };

type PostedReply = NonNullable<Extract<ToWorker, { k: "reply" }>["reply"]>;

/** Whether the bytes use all of their buffer, so that it can be transferred. */
const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const text = (value: unknown): value is string => typeof value === "string";

const failed = (status: Outcome["status"], error: GuestError, durationMs = 0): Outcome => ({
  status,
  error,
  durationMs,
  computeMs: durationMs,
  memoryBytes: 0,
});

/** What the end of a thread means for the next run of the source. */
const pauseText = (ms: number): string =>
  ms === 0 ? "" : ` Its thread ended with it, so the next run of the source waits ${ms} ms.`;

/** The outcome of a call whose thread was ended, or ended by itself. */
function lostOutcome({ entry, limits }: SandboxCall, { isLate, problem, pauseMs }: CrashEnd): Outcome {
  const after = pauseText(pauseMs);
  if (!isLate)
    return failed("error", withMessage("sandbox_crashed", errorText("sandbox_crashed", entry, problem) + after));
  const { timeoutMs } = limits;
  return failed("timeout", entryTimedOut(entry, timeoutMs, after), timeoutMs);
}

/** The scheduler's side of one call: passes messages from the thread to the call's host. */
export class RunningCall implements Job {
  readonly call: SandboxCall;
  id = 0;
  ticket = 0;
  restarts = 0;
  readonly maxRestarts = 3;
  cpuMs = 0;
  seenAt = 0;
  isLong = false;
  isVisible = false;
  readonly isTimedByCpu = false;
  /** The call without its event. */
  readonly #head: string;
  readonly #host: CallHost;
  readonly #flight: CallFlight;
  readonly #resolve: (outcome: Outcome) => void;
  /** What other calls have written to the db since this call was made. */
  readonly #dbChanges: DbChange[] = [];
  /** Its thread, and the id that it has there. */
  #thread: { readonly id: number; readonly post: (message: ToWorker) => void } | undefined;
  #aborts = new Map<number, AbortController>();
  /** For requests whose replies the component does not have yet. */
  #holds = new Map<number, Hold>();

  constructor(call: SandboxCall, host: CallHost, flight: Flight, resolve: (outcome: Outcome) => void) {
    this.call = call;
    this.#flight = new CallFlight(flight, call.limits.memoryBytes);
    this.#head = callHead(call);
    this.#host = host;
    this.#resolve = resolve;
    host.followDb?.((changes) => {
      this.#dbChanges.push(...changes);
      const { id } = this;
      if (this.#thread?.id === id) this.#thread.post({ k: "dbChanged", id, changes });
    });
  }

  get userId(): string {
    return this.call.userId ?? "";
  }

  get sourceId(): string {
    return this.call.sourceId;
  }

  get code(): Bundle {
    return this.call.bundle;
  }

  message(): SandboxCallMessage {
    const { bundle, sourceId, entry, limits, warm, maxSkippedMs = 0 } = this.call;
    return {
      k: "call",
      id: this.id,
      ticket: this.ticket,
      hash: bundle.hash,
      sourceId,
      entry,
      limits,
      dedupe: this.call.dedupe,
      warm,
      maxSkippedMs,
      ...callText(this.#head, this.call.event),
    };
  }

  posted(post: (message: ToWorker) => void): void {
    const { id } = this;
    this.#thread = { id, post };
    // Also after a restart, which begins with the db of the call.
    if (this.#dbChanges.length > 0) post({ k: "dbChanged", id, changes: this.#dbChanges });
  }

  startOver(): void {
    this.#thread = undefined;
    this.cpuMs = 0;
    this.#dropFetches();
    this.#host.restart();
  }

  lost(end: CrashEnd): void {
    // Without threads, the call ends as closed, so that its trigger stays stored.
    this.end(end.isFinal ? closedOutcome() : lostOutcome(this.call, end));
  }

  close(): void {
    this.end(closedOutcome());
  }

  end(end: CallEnd): void {
    this.#thread = undefined;
    this.#dropFetches();
    this.#resolve(end);
  }

  receive(message: FromWorker, post: (message: ToWorker, transfer?: ArrayBuffer[]) => void): void {
    switch (message.k) {
      case "emit": {
        const { id, ts, summary, name } = JSON.parse(message.meta) as Record<string, unknown>;
        this.#host.emit({
          payload: message.payload,
          at: this.#host.now?.() ?? message.at,
          ...(text(id) ? { id: id } : {}),
          ...(finite(ts) ? { ts } : {}),
          ...(text(summary) ? { summary: summary } : {}),
          ...channelOf(text(name) ? name : undefined),
        });
        break;
      }
      case "db":
        this.#host.dbSet(message.key, message.value);
        break;
      case "log":
        this.#host.log({
          level: isLevel(message.level) ? message.level : "log",
          msg: message.msg,
          data: message.data,
          at: this.#host.now?.() ?? message.at,
        });
        break;
      case "step":
        this.#host.step(message.name);
        break;
      case "respond":
        this.isVisible = true;
        if (Number.isInteger(message.status)) {
          this.#host.respond({ status: message.status, headers: message.headers, body: message.body });
        }
        break;
      case "fetch":
        this.isVisible = true;
        void this.#fetch(message, post);
        break;
      case "dataStore":
        // Its writes are discarded when the call starts over.
        void this.#fetch(message, post);
        break;
      case "abort":
        this.#aborts.get(message.fetchId)?.abort();
        this.#aborts.delete(message.fetchId);
        break;
      case "taken":
        this.#release(message.fetchId);
        break;
      case "end":
        this.end(message.end);
        break;
      default:
    }
  }

  async #fetch(
    message: Extract<FromWorker, { k: "fetch" | "dataStore" }>,
    post: (message: ToWorker, transfer?: ArrayBuffer[]) => void,
  ): Promise<void> {
    const { id, fetchId, body } = message;
    const aborts = this.#aborts;
    const abort = new AbortController();
    aborts.set(fetchId, abort);
    const finish = (reply: PostedReply | undefined, error: unknown): void => {
      const isWanted = aborts.delete(fetchId);
      const isLarge = isWanted && reply !== undefined && reply.body.byteLength >= largeReply;
      if (isLarge) hold?.arrived();
      else this.#release(fetchId, hold);
      if (aborts !== this.#aborts) return;
      if (!isWanted) return post({ k: "released", id, fetchId });
      const transfer = reply && isWhole(reply.body) ? [reply.body.buffer] : [];
      const failed = message.k === "dataStore" ? dataStoreFailure : requestFailure;
      post({ k: "reply", id, fetchId, reply, error: reply ? undefined : failed(error) }, transfer);
    };
    const hold = this.#flight.open(body?.byteLength ?? 0);
    if (!hold) return finish(undefined, new XError("requests_too_large", [String(this.#flight.limit)]));
    this.#holds.set(fetchId, hold);
    try {
      if (message.k === "dataStore") {
        const answer = await this.#askDataStore(message.head, body);
        await hold.take(answer.byteLength);
        return finish({ ...emptyReply, body: answer }, undefined);
      }
      const request = readRequest(message.head, body);
      if (!request) throw new TypeError("The request is malformed");
      const { cut, ...given } = await this.#host.fetch(request, abort.signal, (bytes) => hold.take(bytes));
      finish(cut ? { ...given, cut: requestFailure(cut) } : given, undefined);
    } catch (error) {
      finish(undefined, error);
    }
  }

  async #askDataStore(head: string, body: Uint8Array | undefined): Promise<Uint8Array> {
    const asked = readDataStoreCall(head, body, this.call.self.dataStores);
    if (!asked || !this.#host.dataStore) throw new TypeError("The call of a data store is malformed");
    return Buffer.from(await this.#host.dataStore(asked));
  }

  /** A restarted call may have another request with the same id, which keeps its hold. */
  #release(fetchId: number, hold = this.#holds.get(fetchId)): void {
    if (this.#holds.get(fetchId) === hold) this.#holds.delete(fetchId);
    hold?.release();
  }

  #dropFetches(): void {
    for (const abort of this.#aborts.values()) abort.abort();
    for (const hold of this.#holds.values()) hold.release();
    this.#aborts = new Map();
    this.#holds = new Map();
  }
}
