import { Agent, request } from "node:http";

import { apiKey } from "../faults/service.child.ts";

/** Which of the answers on a connection it was: the recorder saw it leave. */
export interface Receipt {
  readonly port: number;
  /** From 1. */
  readonly number: number;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly receipt: Receipt;
}

/** A client with one connection; it sends one request at a time. */
export interface Client {
  /** Rejects when the connection ends. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  close(): void;
}

export function createClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let [port, number] = [0, 0];
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
        const sent = request(url + path, { method, headers, agent }, (answer) => {
          const { localPort = 0 } = answer.socket;
          number = localPort === port ? number + 1 : 1;
          port = localPort;
          const receipt = { port, number };
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", reject);
          answer.on("end", () =>
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8"), receipt }),
          );
        });
        sent.on("error", reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}
