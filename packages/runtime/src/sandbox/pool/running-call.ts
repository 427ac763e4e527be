import { newSeed } from "../../ids.ts";
import type { CallEnd, CallOrder, FromWorker, ToWorker } from "../thread/messages.ts";
import { isPairs } from "../thread/said.ts";
import { requestFailure } from "./request-failure.ts";
import { channelOf } from "../channel.ts";
import type { CallHost, GuestLog, GuestRequest, Outcome, SandboxCall } from "../contract.ts";

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

const finite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const text = (value: unknown): value is string => typeof value === "string";

/** The scheduler's side of one call: turns messages from the thread into effects on its host. */
export class RunningCall {
  readonly call: SandboxCall;
  readonly text: string;
  /** Changes when the call starts over, so that messages of its former life are not mistaken for news. */
  id = 0;
  ticket = 0;
  /** Threads that ended under it, for whatever reason. */
  restarts = 0;
  /** Something outside has seen it: starting over would show there. */
  isVisible = false;
  readonly #host: CallHost;
  readonly #resolve: (outcome: Outcome) => void;
  #aborts = new Map<number, AbortController>();

  constructor(call: SandboxCall, host: CallHost, resolve: (outcome: Outcome) => void) {
    this.call = call;
    this.text = callText(call);
    this.#host = host;
    this.#resolve = resolve;
  }

  order(): CallOrder {
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

  /** Forgets what has happened: the call runs again from its beginning elsewhere. */
  startOver(): void {
    this.#dropFetches();
    this.#host.restart();
  }

  end(end: CallEnd): void {
    this.#dropFetches();
    this.#resolve(end);
  }

  /** Handles a message of this call; answers go out through `post`. */
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
    const { id, fetchId } = message;
    const abort = new AbortController();
    this.#aborts.set(fetchId, abort);
    try {
      const request = readRequest(message.head, message.body);
      if (!request) throw new TypeError("The request is malformed");
      const { cut, ...given } = await this.#host.fetch(request, abort.signal);
      const reply = cut ? { ...given, cut: requestFailure(cut) } : given;
      if (this.#aborts.delete(fetchId)) post({ k: "reply", id, fetchId, reply, error: undefined });
    } catch (error) {
      if (!this.#aborts.delete(fetchId)) return;
      post({ k: "reply", id, fetchId, reply: undefined, error: requestFailure(error) });
    }
  }

  #dropFetches(): void {
    for (const abort of this.#aborts.values()) abort.abort();
    this.#aborts = new Map();
  }
}
