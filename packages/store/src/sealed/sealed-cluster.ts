import { XError } from "@x/model";
import type { Cluster } from "../cluster-contract.ts";
import type { Seal } from "./seal.ts";

/** Encrypts what nodes ask, answer and tell: it contains props, credentials and keys, and passes through the database. */
export function createSealedCluster(inner: Cluster, seal: Seal): Cluster {
  const close = (body: Uint8Array, kind: string): Uint8Array => seal.closeBytes(body, ["message", kind]);
  function open(sealed: Uint8Array, kind: string): Uint8Array {
    const body = seal.openBytes(sealed, ["message", kind]);
    if (!body) throw new XError("secret_damaged", ["message", kind]);
    return body;
  }
  const answerOf = (kind: string): string => `answer ${kind}`;

  return {
    get nodeId() {
      return inner.nodeId;
    },
    get hasOthers() {
      return inner.hasOthers;
    },
    owns: (id) => inner.owns(id),
    join: (handlers) =>
      inner.join({
        ...handlers,
        async asked({ id, kind, body }) {
          return close(await handlers.asked({ id, kind, body: open(body, kind) }), answerOf(kind));
        },
        async told(kind, body) {
          // What the store itself tells has no body.
          const answer = await handlers.told(kind, body.length === 0 ? body : open(body, kind));
          return answer && close(answer, answerOf(kind));
        },
      }),
    leave: () => inner.leave(),
    async ask(id, kind, body, signal) {
      return open(await inner.ask(id, kind, close(body, kind), signal), answerOf(kind));
    },
    async tellAll(kind, body) {
      const answers = await inner.tellAll(kind, close(body, kind));
      return answers.map((answer) => (answer.length === 0 ? answer : open(answer, answerOf(kind))));
    },
    nodes: () => inner.nodes(),
  };
}
