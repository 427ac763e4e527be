import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Answer, UpstreamRequest } from "./scenario.ts";

export interface Upstream extends AsyncDisposable {
  readonly url: string;
  /** Answers from now on; gives what is asked for meanwhile, in order. */
  answerWith(answer: Answer | undefined): UpstreamRequest[];
}

/** A fake server for every host. Requests have their original URL in `x-original-url`. */
export async function startUpstream(): Promise<Upstream> {
  let seen: UpstreamRequest[] = [];
  let answer: Answer | undefined;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { "x-original-url": url = "", ...headers } = incoming.headers as { [name: string]: string };
      const request = { method: incoming.method ?? "", url, headers, body: Buffer.concat(chunks) };
      const { status = 200, headers: given = {}, body, failure } = answer?.(request, seen.length) ?? { status: 599 };
      seen.push(request);
      if (failure === "broken") outgoing.destroy();
      if (failure === "broken" || failure === "silent") return;
      const isRaw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
      outgoing.writeHead(status, { ...(!isRaw && { "content-type": "application/json" }), ...given });
      const text = isRaw ? body : JSON.stringify(body);
      if (failure === undefined) outgoing.end(text);
      else outgoing.write(text, () => outgoing.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith(given) {
      answer = given;
      seen = [];
      return seen;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
