import { AsyncLocalStorage } from "node:async_hooks";

import { XError, systemClock } from "@x/model";
import type { Cluster, ClusterHandlers } from "@x/store";
import {
  decodeAnswer,
  decodeQuestion,
  encodeAnswer,
  encodeError,
  encodeQuestion,
  type Question,
  restoreError,
} from "./message.ts";
import type { HeldSlots } from "./held-slots.ts";

/** What the asking node gives an answering method. */
export interface Asked {
  readonly args: readonly unknown[];
  /** The acting user. */
  readonly userId: string | undefined;
  /** For `message.done` in the commit of an effect that must happen once. */
  readonly messageId: string;
}

/** Answers the questions of one method. */
export type Answering = (asked: Asked) => Promise<unknown>;

/** Brings each call to the node that runs its source. */
export interface Router {
  /** Runs `here` on the owner of the slot of `question.to`: on this node, or as the method of the question on another one. */
  call<T>(question: Question, here: () => Promise<T>): Promise<T>;
  /** Sets how this node answers a method. */
  answer(method: string, answering: Answering): void;
  readonly asked: ClusterHandlers["asked"];
}

export interface RouterParts {
  readonly cluster: Pick<Cluster, "ask">;
  readonly heldSlots: Pick<HeldSlots, "isHere" | "isLeaving" | "enter">;
  /** Resolves when this node takes part. */
  ready(): Promise<void>;
  /** Methods that store a trigger: a repeated question of theirs stores it once. */
  readonly storing: ReadonlySet<string>;
  /** An error that is not for the asking node. */
  unexpected(method: string, error: unknown): void;
}

/** How long a call follows a slot that moves, and how long it waits in between, in ms. */
const longestMs = 30_000;
const betweenMs = 20;

const pause = (): Promise<void> =>
  new Promise((resolve) => void systemClock.wakeAt(systemClock.now() + betweenMs, resolve));

export function createRouter(parts: RouterParts): Router {
  const { cluster, heldSlots, storing } = parts;
  const methods = new Map<string, Answering>();
  /** Set within a call that runs here: its slot waits for it, and so it must not wait for the next owner of a slot. */
  const inCall = new AsyncLocalStorage<true>();

  /** True when the call runs on this node. A call within another one also runs here while its slot is handed over. */
  const isHere = async (to: string): Promise<boolean> =>
    (await heldSlots.isHere(to)) || (inCall.getStore() === true && heldSlots.isLeaving(to));

  async function ask(question: Question): Promise<ReturnType<typeof decodeAnswer>> {
    const kind = storing.has(question.method) ? "request" : "call";
    return decodeAnswer(await cluster.ask(question.to, kind, encodeQuestion(question)));
  }

  return {
    async call(question, here) {
      await parts.ready();
      const until = systemClock.now() + longestMs;
      do {
        if (await isHere(question.to)) {
          using _client = heldSlots.enter(question.to);
          return await inCall.run(true, here);
        }
        const answer = await ask(question);
        if ("value" in answer) return answer.value as Awaited<ReturnType<typeof here>>;
        if ("error" in answer) throw restoreError(answer.error);
        await pause();
      } while (systemClock.now() < until);
      throw new XError("store_unavailable", ["the source is being handed over from one node to another"]);
    },
    answer: (method, answering) => void methods.set(method, answering),
    async asked({ id: messageId, body }) {
      const { to, method, args, userId } = decodeQuestion(body);
      const answering = methods.get(method);
      // A node of another release may know more methods.
      if (!answering) return encodeError(new XError("store_unavailable", [`this node does not know "${method}"`]));
      if (!(await heldSlots.isHere(to))) return encodeAnswer({ moved: true });
      using _client = heldSlots.enter(to);
      try {
        return encodeAnswer({ value: await inCall.run(true, () => answering({ args, userId, messageId })) });
      } catch (error) {
        if (!XError.is(error)) parts.unexpected(method, error);
        return encodeError(error);
      }
    },
  };
}
