import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens around one changing request. */
export type Moment = "before" | "after";

/** A proxy in front of a service that calls `kill` at one changing request: before it arrives, or before its answer does. */
export async function startKillProxy(
  target: string,
  kill: { readonly at: number; readonly moment: Moment; readonly now: () => void },
): Promise<AsyncDisposable & { readonly url: string; readonly changes: () => number }> {
  let changes = 0;
  const isChange = (method = "", url = ""): boolean => method !== "GET" && !url.endsWith("/compare");
  const server = createServer((incoming, outgoing) => {
    const isKilled = isChange(incoming.method, incoming.url) && ++changes === kill.at;
    if (isKilled && kill.moment === "before") {
      kill.now();
      incoming.destroy();
      return;
    }
    const { method, headers } = incoming;
    const forwarded = send(target + (incoming.url ?? ""), { method, headers }, (answer) => {
      if (isKilled) kill.now();
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    changes: () => changes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
