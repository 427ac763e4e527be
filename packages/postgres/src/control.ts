import { createHash } from "node:crypto";

import { parsers, type PgClient } from "./driver.ts";
import type { Namespace } from "./namespace.ts";

/** Runs statements on one connection. `@table` is a table of the schema. */
export type RunRows = <Row>(text: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

/** The connection of a node's locks: statements wait for each other. */
export interface Control {
  readonly rows: RunRows;
  /** Runs statements in one transaction. */
  transaction<T>(work: (rows: RunRows) => Promise<T>): Promise<T>;
  /** Calls `receive` with each notification of a channel. */
  listen(channel: string, receive: (payload: string) => void): Promise<void>;
  /** What still waits is rejected by the end of the connection. */
  end(): void;
}

export function createControl(client: PgClient, { qualify }: Namespace): Control {
  let lane: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const made = `c${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    names.set(text, made);
    return made;
  };
  const run: RunRows = async <Row>(sql: string, ...values: readonly unknown[]) => {
    if (isEnded) throw new Error("the connection was given up");
    const text = qualify(sql);
    // Without values it may be several statements, which cannot be prepared.
    const statement = values.length === 0 ? { text } : { name: nameOf(text), text, values };
    return (await client.query({ ...statement, types: parsers })).rows as readonly Row[];
  };
  /** The driver takes one statement at a time. */
  function inLane<T>(work: () => Promise<T>): Promise<T> {
    const result = lane.then(work);
    lane = result.catch(() => undefined);
    return result;
  }
  return {
    rows: <Row>(sql: string, ...values: readonly unknown[]) => inLane(() => run<Row>(sql, ...values)),
    transaction: <T>(work: (rows: RunRows) => Promise<T>) =>
      inLane(async () => {
        await run("BEGIN");
        try {
          const result = await work(run);
          await run("COMMIT");
          return result;
        } catch (error) {
          await run("ROLLBACK").catch(() => undefined);
          throw error;
        }
      }),
    async listen(channel, receive) {
      client.on("notification", (message) => {
        if (!isEnded && message.channel === channel) receive(message.payload ?? "");
      });
      await inLane(() => run(`LISTEN "${channel}"`));
    },
    end: () => (isEnded = true),
  };
}
