import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach } from "vitest";

import type { NetworkOptions } from "../api/options.ts";
import type { GuestReply, GuestRequest } from "../../../sandbox/src/contract.ts";
import type { Lookup } from "./lookup.ts";
import { createEgress } from "./egress.ts";
import type { Egress, EgressLimits } from "./egress.ts";

export const smallLimits: EgressLimits = { fetchTimeoutMs: 60_000, fetchBodyBytes: 100_000, fetchRedirects: 20 };

/** Real servers on loopback and egresses for one test file; closed after each test. */
export function loopback() {
  const servers: Server[] = [];
  const egresses: Egress[] = [];
  afterEach(async () => {
    await Promise.all(egresses.splice(0).map((egress) => egress.close()));
    await Promise.all(
      servers.splice(0).map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  });
  return {
    /** Starts a server; gives its origin. */
    serve: async (listener: RequestListener, host = "127.0.0.1"): Promise<string> => {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      return `http://${host}:${(server.address() as AddressInfo).port}`;
    },
    egress: (
      options: NetworkOptions = { mode: "allow-private" },
      limits: Partial<EgressLimits> = {},
      lookup?: Lookup,
    ): Egress => {
      const created = createEgress(options, { ...smallLimits, ...limits }, lookup ? { lookup } : {});
      egresses.push(created);
      return created;
    },
  };
}

/** A signal for exchanges that nobody cancels. */
export const never: AbortSignal = new AbortController().signal;

export const get = (url: string, rest: Partial<GuestRequest> = {}): GuestRequest => ({
  url,
  method: "GET",
  headers: [],
  body: undefined,
  redirect: "follow",
  ...rest,
});

export const text = (reply: GuestReply): string => new TextDecoder().decode(reply.body);
export const bytes = (body: string): Uint8Array => new TextEncoder().encode(body);
export const headersOf = (reply: GuestReply): { [name: string]: string } => Object.fromEntries(reply.headers);

export async function readAll(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Answers with the request as the server saw it. */
export const echo: RequestListener = (request, response) => {
  void readAll(request).then((body) => {
    const { method, url, headers } = request;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ method, url, headers, body }));
  });
};

/** What `echo` answers. */
export interface Echo {
  method: string;
  url: string;
  headers: { [name: string]: string };
  body: string;
}
