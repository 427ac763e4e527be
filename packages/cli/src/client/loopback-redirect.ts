import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { EnvironmentError } from "../errors.ts";

/** A server on this machine to which an authorization server sends the browser (RFC 8252, 7.3). */
export interface LoopbackRedirect extends AsyncDisposable {
  readonly uri: string;
  /** Gives the URL of the first request with a state to `complete`, and tells the browser how that ended. */
  received(complete: (url: string) => Promise<void>): Promise<void>;
}

const path = "/callback";

const headers = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
};

/** Listens on this port of 127.0.0.1; 0: a free one. */
export async function openLoopbackRedirect(port: number): Promise<LoopbackRedirect> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error) => reject(new EnvironmentError(`127.0.0.1:${port} cannot be used: ${error.message}`)));
    server.listen(port, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    uri: origin + path,
    received: (complete) =>
      new Promise((resolve, reject) => {
        server.on("request", (request, response) => {
          const url = new URL(request.url ?? "/", origin);
          if (request.method !== "GET" || url.pathname !== path || !url.searchParams.has("state")) {
            response.writeHead(404, headers).end();
            return;
          }
          const answer = (status: number, text: string): void => void response.writeHead(status, headers).end(text);
          complete(url.href).then(
            () => {
              answer(200, "The account is connected. You can close this page.\n");
              resolve();
            },
            (error: unknown) => {
              answer(400, "The account was not connected; the command line says why.\n");
              reject(error instanceof Error ? error : new Error(String(error)));
            },
          );
        });
      }),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
