import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

import type { Account, FloodTarget } from "./contract.ts";

/** A request below /v1; resolves with the text of the answer. */
export async function send(
  { url, apiKey }: Account,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** This many things in a whole flood; at least one. */
export const counted = ({ share }: FloodTarget, count: number): number => Math.ceil(count * share);

export interface Deployed {
  readonly id: string;
  /** Its endpoint at the address of the service; undefined: it has none. */
  readonly endpoint: string | undefined;
}

/** Deploys a source; repeats the request while the service is busy. */
export async function deploy(target: Account, code: string, fields: object = {}): Promise<Deployed> {
  for (;;) {
    const { status, text } = await send(target, "POST", "/sources", { component_code: code, ...fields });
    if (status === 429 || status === 503) await pause(200);
    else if (status >= 300) throw new Error(`deploy: ${status} ${text.slice(0, 500)}`);
    else {
      const { data } = JSON.parse(text) as {
        data: { id: string; configured_props?: { http?: { endpoint_url: string } } };
      };
      const endpoint = data.configured_props?.http?.endpoint_url;
      return { id: data.id, endpoint: endpoint && target.url + new URL(endpoint).pathname };
    }
  }
}

/** Deletes all sources of the user, at once: each deletion waits for the run under way of its source. */
export async function deleteSources(target: FloodTarget): Promise<void> {
  for (;;) {
    const { text } = await send(target, "GET", "/users/me/sources?limit=100");
    const { data = [] } = JSON.parse(text) as { data?: readonly { id: string }[] };
    if (data.length === 0) return;
    await Promise.all(data.map(({ id }) => send(target, "DELETE", `/sources/${id}`)));
  }
}

/** Repeats work in this many parallel loops until it is stopped; ignores failures. */
export function repeat(lanes: number, work: (turn: number) => Promise<unknown>): () => Promise<void> {
  const state = { going: true };
  let turn = 0;
  const lane = async (): Promise<void> => {
    while (state.going) {
      try {
        await work(turn++);
      } catch {
        await pause(20);
      }
    }
  };
  const done = Promise.all(Array.from({ length: lanes }, lane));
  return async () => {
    state.going = false;
    await done;
  };
}

/** Raw connections that write and do not read; each is opened again when it is closed. */
export function openUnread(count: number, url: string, text: () => string): () => Promise<void> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let going = true;
  const open = (): void => {
    if (!going) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.pause();
    socket.on("connect", () => socket.write(text()));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      setTimeout(open, 50);
    });
  };
  for (let made = 0; made < count; made += 1) open();
  return async () => {
    going = false;
    for (const socket of sockets) socket.destroy();
    await pause(100);
  };
}
