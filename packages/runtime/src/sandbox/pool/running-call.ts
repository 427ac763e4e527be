import { newSeed } from "../../process/ids.ts";
import { XError } from "../../model/errors.ts";
import {
  type CallEnd,
  type SandboxCallMessage,
  type FromWorker,
  largeAnswer,
  type ToWorker,
} from "../thread/messages.ts";
import { CallFlight, type Flight, type Hold } from "./flight.ts";
import { isPairs } from "../thread/said.ts";
import { requestFailure } from "./request-failure.ts";
import { channelOf } from "../channel.ts";
import { closedOutcome } from "../closed.ts";
import type { Bundle, CallHost, GuestLog, GuestRequest, Outcome, SandboxCall } from "../contract.ts";
import type { Job } from "./job.ts";
import { endedOutcome, type ThreadEnd } from "./thread-end.ts";

/** The call as JSON text for the guest. The event is spliced in as it is: it is JSON already. */
function callText(call: SandboxCall): string {
  const head = JSON.stringify({
    entry: call.entry,
    self: call.self,
    db: Object.fromEntries(call.db),
    emit: call.emit,
    httpProp: call.httpProp,
    workflow: call.workflow,
    now: call.now,
    seed: newSeed(),
  });
  return `${head.slice(0, -1)},"event":${call.event === "" ? "null" : call.event}}`;
}

const levels: readonly string[] = ["log", "info", "warn", "error", "debug"];
const isLevel = (level: string): level is GuestLog["level"] => levels.includes(level);

/** Reads what a guest asked to fetch; undefined when it is not what the prelude sends. */
function readRequest(head: string, body: Uint8Array | undefined): GuestRequest | undefined {
  const { url, method, headers, redirect, verbatim } = JSON.parse(head) as Record<string, unknown>;
  if (typeof url !== "string" || typeof method !== "string" || !isPairs(headers)) return undefined;
  if (redirect !== "follow" && redirect !== "manual" && redirect !== "error") return undefined;
  return { url, method, headers, body, redirect, verbatim: verbatim === true };
}

type AnsweredReply = NonNullable<Extract<ToWorker, { k: "reply" }>["reply"]>;

/** True for bytes that have their memory for themselves, so that it can be handed over. */
const isWhole = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const text = (value: unknown): value is string => typeof value === "string";

/** The scheduler's side of one call: turns messages from the thread into effects on its host. */
export class RunningCall implements Job {
  readonly call: SandboxCall;
  readonly text: string;
  id = 0;
  ticket = 0;
  restarts = 0;
  readonly maxRestarts = 3;
  cpuMs = 0;
  seenAt = 0;
  isLong = false;
  isVisible = false;
  readonly isTimedByCpu = false;
  readonly #host: CallHost;
  readonly #flight: CallFlight;
  readonly #resolve: (outcome: Outcome) => void;
  #aborts = new Map<number, AbortController>();
  /** Of requests whose answers the component does not have yet. */
  #holds = new Map<number, Hold>();

  constructor(call: SandboxCall, host: CallHost, flight: Flight, resolve: (outcome: Outcome) => void) {
    this.call = call;
    this.#flight = new CallFlight(flight, call.limits.memoryBytes);
    this.text = callText(call);
    this.#host = host;
    this.#resolve = resolve;
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
    const { bundle, sourceId, entry, limits, warm, mostSkippedMs = 0 } = this.call;
    return {
      k: "call",
      id: this.id,
      ticket: this.ticket,
      hash: bundle.hash,
      sourceId,
      entry,
      text: this.text,
      limits,
      dedupe: this.call.dedupe,
      warm,
      mostSkippedMs,
    };
  }

  startOver(): void {
    this.cpuMs = 0;
    this.#dropFetches();
    this.#host.restart();
  }

  lost(end: ThreadEnd): void {
    // Without threads there is no runtime: what was to run stays where it came from.
    this.end(end.isFinal ? closedOutcome() : endedOutcome(this.call, end));
  }

  close(): void {
    this.end(closedOutcome());
  }

  end(end: CallEnd): void {
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
    message: Extract<FromWorker, { k: "fetch" }>,
    post: (message: ToWorker, transfer?: ArrayBuffer[]) => void,
  ): Promise<void> {
    const { id, fetchId, body } = message;
    const aborts = this.#aborts;
    const abort = new AbortController();
    aborts.set(fetchId, abort);
    const answer = (reply: AnsweredReply | undefined, error: unknown): void => {
      const isWanted = aborts.delete(fetchId);
      const isLarge = isWanted && reply !== undefined && reply.body.byteLength >= largeAnswer;
      if (isLarge) hold?.arrived();
      else this.#release(fetchId, hold);
      if (aborts !== this.#aborts) return;
      if (!isWanted) return post({ k: "released", id, fetchId });
      const transfer = reply && isWhole(reply.body) ? [reply.body.buffer] : [];
      post({ k: "reply", id, fetchId, reply, error: reply ? undefined : requestFailure(error) }, transfer);
    };
    const hold = this.#flight.open(body?.byteLength ?? 0);
    if (!hold) return answer(undefined, new XError("requests_too_large", [String(this.#flight.limit)]));
    this.#holds.set(fetchId, hold);
    try {
      const request = readRequest(message.head, body);
      if (!request) throw new TypeError("The request is malformed");
      const { cut, ...given } = await this.#host.fetch(request, abort.signal, (bytes) => hold.take(bytes));
      answer(cut ? { ...given, cut: requestFailure(cut) } : given, undefined);
    } catch (error) {
      answer(undefined, error);
    }
  }

  /** What was begun anew under the same number is another request. */
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
