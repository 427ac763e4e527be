import type { IncomingMessage, Server } from "node:http";

import { errorText } from "@x/runtime";

import { refusal } from "./failure.ts";

/** Shorter bodies are asked for at once: no limit refuses them. */
const certainBytes = 16 * 1024;

/** Requests whose clients wait for a 100 before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** True while nobody has asked for the body of a request with `Expect: 100-continue`: it may never come. */
export const awaitsContinue = (incoming: IncomingMessage): boolean => waiting.has(incoming);

/**
 * Answers `Expect: 100-continue`, and refuses everything else that is expected. A long body is asked for when it is read: a request that is refused for its length gets that
 * answer alone. Node itself writes the 100 of a request that waits behind another one on its connection between the head and
 * the body of the answer.
 */
export function answerExpectations(server: Server): void {
  server.on("checkContinue", (incoming, outgoing) => {
    const write = (): void => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    };
    const proceed = (): void => {
      if (outgoing.socket) write();
      else outgoing.once("socket", write);
    };
    if (Number(incoming.headers["content-length"] ?? 0) <= certainBytes) proceed();
    else {
      waiting.add(incoming);
      const read = incoming._read.bind(incoming);
      incoming._read = (size) => {
        incoming._read = read;
        waiting.delete(incoming);
        proceed();
        read(size);
      };
    }
    server.emit("request", incoming, outgoing);
  });
  server.on("checkExpectation", (_request, response) => {
    const answer = refusal(
      417,
      "malformed_request",
      errorText("malformed_request", "its Expect header is not supported"),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(answer.body);
  });
}
