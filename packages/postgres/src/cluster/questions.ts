import type { Logger, XError } from "@x/runtime";
import type { ClusterHandlers } from "@x/runtime/store";

import type { MessageTable, Taken } from "./message-table.ts";
import { answered, failed, joinNotice, noBytes } from "./message-kinds.ts";
import type { Announcement } from "./announcement.ts";
import { createRepeatedTask } from "./repeated-task.ts";

/** What answering needs of its node. */
export interface QuestionParts {
  readonly table: MessageTable;
  readonly logger: Logger;
  readonly pollMs: number;
  /** Undefined until the node has joined. */
  handlers(): Pick<ClusterHandlers, "asked" | "told"> | undefined;
  /** The slots whose questions this node answers. */
  slots(): readonly number[];
  /** Looks at nodes and slots anew, before a notice of a new node is answered. */
  refreshMembership(): Promise<void>;
  announce(announcement: Announcement): void;
  /** Waits before something is tried again. */
  pause(): Promise<void>;
}

/** Answers the questions of other nodes. */
export interface Questions {
  /** Resolves when it has looked for questions. */
  look(): Promise<void>;
  /** Resolves when every question that was taken is answered. */
  settled(): Promise<void>;
  end(error: XError): Promise<void>;
}

/** Questions that are answered at the same time. */
const maxInHand = 1_000;
const takenAtOnce = 200;

export function createQuestions(parts: QuestionParts): Questions {
  const { table, logger } = parts;
  const inHand = new Map<string, Promise<void>>();
  const ending = new AbortController();
  const warn = (error: unknown): void => logger.debug?.("messages cannot be read yet", { error: String(error) });
  const task = createRepeatedTask(parts.pollMs, take, warn);

  async function take(): Promise<void> {
    const handlers = parts.handlers();
    if (!handlers) return;
    while (!ending.signal.aborted && inHand.size < maxInHand) {
      const taken = await table.take(parts.slots(), [...inHand.keys()], takenAtOnce);
      for (const question of taken) {
        const work = answer(question, handlers).finally(() => inHand.delete(question.id));
        inHand.set(question.id, work);
      }
      if (taken.length < takenAtOnce) return;
    }
  }

  async function answer(question: Taken, handlers: Pick<ClusterHandlers, "asked" | "told">): Promise<void> {
    const { id, call, from } = question;
    let [kind, body] = [answered, noBytes];
    try {
      body = await replyTo(question, handlers);
    } catch (error) {
      logger.error(`a message of another node could not be answered: ${question.kind}`, { error: String(error) });
      kind = failed;
    }
    const message = { id: `${id} answer`, call, type: "answer", kind, toNode: from, toSlot: null, body } as const;
    // A question that was answered must not be answered anew, so it stays in hand until its answer is stored.
    while (!ending.signal.aborted) {
      try {
        await table.answer(question, message);
        return parts.announce({ messages: [from] });
      } catch (error) {
        warn(error);
        await parts.pause();
      }
    }
  }

  async function replyTo(
    { id, type, kind, body }: Taken,
    { asked, told }: Pick<ClusterHandlers, "asked" | "told">,
  ): Promise<Uint8Array> {
    if (type === "ask") return asked({ id, kind, body });
    if (kind !== joinNotice) return (await told(kind, body)) ?? noBytes;
    await parts.refreshMembership();
    return noBytes;
  }

  return {
    look: task.wake,
    async settled() {
      while (inHand.size > 0) await Promise.all(inHand.values());
    },
    async end(error) {
      ending.abort(error);
      await task.stop();
    },
  };
}
