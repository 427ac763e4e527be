import { randomUUID } from "node:crypto";

import { type Logger, XError } from "@x/runtime";
import { monotonicMs, slotOf } from "@x/runtime/store";

import { storeError } from "../failure.ts";
import { answered, joinNotice, noBytes } from "./message-kinds.ts";
import type { CallRow, MessageTable } from "./message-table.ts";
import type { Announcement } from "./announcement.ts";
import { createRepeatedTask } from "./repeated-task.ts";

/** What asking needs of its node. */
export interface CallParts {
  readonly table: MessageTable;
  readonly logger: Logger;
  readonly pollMs: number;
  announce(announcement: Announcement): void;
}

/** Sends questions and messages to other nodes. Each is a row; a node finds it after a notification, or by its next poll. */
export interface Calls {
  ask(id: string, kind: string, body: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  tellAll(kind: string, body: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Makes the other nodes know this one. */
  announceJoin(): Promise<void>;
  /** Looks for answers. */
  look(): void;
  /** Rejects what waits for an answer. */
  end(error: XError): Promise<void>;
}

/** A call that waits for its answers. */
interface Call {
  readonly type: "ask" | "tell";
  readonly resolve: (answers: readonly Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
  /** Its questions are stored. */
  isSent: boolean;
}

/** Answers that came too late are removed at each of so many looks: at least one look per poll. */
const looksPerSweep = 60;
/** Calls that are settled, after which their rows are removed without waiting for a poll. */
const maxSettled = 100;

const unanswered = (problem: string): XError => new XError("store_unavailable", [problem]);

/** Settles a call whose questions are all answered, or will never be. True when it did. */
function settle({ type, resolve, reject, isSent }: Call, rows: readonly CallRow[]): boolean {
  if (!isSent || rows.some((row) => row.type !== "answer" && !row.isOrphan)) return false;
  const answers = rows.filter((row) => row.type === "answer");
  if (type === "tell") resolve(answers.map(({ body }) => body));
  else if (answers[0]?.kind === answered) resolve([answers[0].body]);
  else reject(unanswered(answers[0] ? "another node failed" : "the node that was asked is gone"));
  return true;
}

export function createCalls({ table, logger, pollMs, announce }: CallParts): Calls {
  const calls = new Map<string, Call>();
  const ending = new AbortController();
  let looks = 0;
  /** How often there was a reason to look. */
  let hints = 0;
  /** Settled calls whose rows are there still. */
  let settled: string[] = [];
  let removedAt = monotonicMs();
  const warn = (error: unknown): void => logger.debug?.("answers cannot be read yet", { error: String(error) });
  const task = createRepeatedTask(pollMs, look, warn);

  async function look(): Promise<void> {
    looks += 1;
    if (looks % looksPerSweep === 0) await table.sweep([...calls.keys()]);
    if (settled.length >= maxSettled || monotonicMs() - removedAt >= pollMs) removeSettled();
    const waiting = [...calls].filter(([, { isSent }]) => isSent);
    if (waiting.length === 0) return;
    const rows = Map.groupBy(await table.calls(waiting.map(([id]) => id)), ({ call }) => call);
    const done = waiting.flatMap(([id, call]) => (calls.has(id) && settle(call, rows.get(id) ?? []) ? [id] : []));
    for (const id of done) calls.delete(id);
    settled.push(...done);
  }

  /** Many at once: nobody waits for it. Rows that stay are removed with those of a node that is gone. */
  function removeSettled(): void {
    removedAt = monotonicMs();
    if (settled.length > 0) table.forget(settled).catch(warn);
    settled = [];
  }

  /** Sends the questions of a call and waits for their answers. `send` returns false when there is nobody to ask. */
  async function open(
    id: string,
    type: Call["type"],
    send: () => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    ending.signal.throwIfAborted();
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<readonly Uint8Array[]>();
    const call: Call = { type, resolve, reject, isSent: false };
    const abort = (): void => reject(signal?.reason);
    const hintsBefore = hints;
    // It may end before anybody waits for it.
    promise.catch(() => undefined);
    // Known before its first answer can be there.
    calls.set(id, call);
    signal?.addEventListener("abort", abort);
    try {
      if (!(await send())) return [];
      call.isSent = true;
      // A node that has not joined answers no call to all; and a look that came before was too early for this call.
      if (type === "tell" || hints > hintsBefore) void task.wake();
      return await promise;
    } catch (error) {
      table.withdraw(id).catch(warn);
      throw signal?.aborted ? signal.reason : storeError("ask another node", error);
    } finally {
      calls.delete(id);
      signal?.removeEventListener("abort", abort);
    }
  }

  const newCall = (): string => `m_${randomUUID()}`;

  function tellAll(kind: string, body: Uint8Array): Promise<readonly Uint8Array[]> {
    const call = newCall();
    return open(call, "tell", async () => {
      const nodes = await table.tell(call, kind, body);
      if (nodes.length > 0) announce({ messages: nodes });
      return nodes.length > 0;
    });
  }

  return {
    async ask(id, kind, body, signal) {
      const call = newCall();
      const toSlot = slotOf(id);
      const send = async (): Promise<boolean> => {
        await table.add({ id: call, call, type: "ask", kind, toNode: null, toSlot, body });
        announce({ messages: [toSlot] });
        return true;
      };
      const [found = noBytes] = await open(call, "ask", send, signal);
      return found;
    },
    tellAll,
    async announceJoin() {
      await tellAll(joinNotice, noBytes);
    },
    look() {
      hints += 1;
      void task.wake();
    },
    async end(error) {
      ending.abort(error);
      for (const call of calls.values()) call.reject(error);
      await task.stop();
    },
  };
}
