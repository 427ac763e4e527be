import { deserialize } from "node:v8";

import type { Connections, Connection } from "@x/accounts";
import { XError } from "@x/model";
import { type Answer, errorAnswer, restoreError } from "./message.ts";

/** Questions to all other nodes, and this node's answers to theirs. */
export interface Telling {
  tell(kind: string, given: unknown): Promise<readonly unknown[]>;
  onTold(kind: string, answer: (body: Uint8Array) => Promise<unknown>): void;
}

const isUnknown = (error: unknown): boolean => XError.is(error) && error.code === "not_found";

/** Undefined: this node does not know the connection. */
async function answerOf(work: Promise<Connection>): Promise<Answer | undefined> {
  try {
    return { value: await work };
  } catch (error) {
    return isUnknown(error) ? undefined : errorAnswer(error);
  }
}

/** Connections of accounts are in the memory of the node where they began; the browser may come back to another one. */
export function createSharedConnections(own: Connections, { tell, onTold }: Telling): Connections {
  const [finding, completing] = ["connections.find", "connections.complete"];
  onTold(finding, (body) => answerOf(own.find(...(deserialize(body) as Parameters<Connections["find"]>))));
  onTold(completing, (body) => answerOf(own.complete(...(deserialize(body) as Parameters<Connections["complete"]>))));

  /** Asks this node, and then all others, of which at most one knows the connection. */
  async function anywhere(work: Promise<Connection>, kind: string, given: readonly unknown[]): Promise<Connection> {
    try {
      return await work;
    } catch (error) {
      if (!isUnknown(error)) throw error;
      const [answer] = (await tell(kind, given)) as readonly Answer[];
      if (!answer) throw error;
      if ("error" in answer) throw restoreError(answer.error);
      return ("value" in answer ? answer.value : undefined) as Connection;
    }
  }

  return {
    ...own,
    find: (...given) => anywhere(own.find(...given), finding, given),
    complete: (...given) => anywhere(own.complete(...given), completing, given),
  };
}
