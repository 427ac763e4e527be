import { createRequire } from "node:module";

import { apiKey, type EventBody } from "./fixture.ts";

interface EventSource extends EventTarget {
  readonly readyState: number;
  close(): void;
}
type Dispatch = (options: { readonly headers?: object }, handler: unknown) => boolean;
interface Dispatcher {
  compose(interceptor: (dispatch: Dispatch) => Dispatch): Dispatcher;
}
/** The used part of undici. Its EventSource is that of Node. */
const require = createRequire(import.meta.url);
const { Agent, EventSource } = require("undici") as {
  Agent: new () => Dispatcher;
  EventSource: new (url: string, options: { node: { dispatcher: Dispatcher } }) => EventSource;
};

/** A standard EventSource, which reconnects by itself. */
interface Listener {
  /** How often it was connected. */
  readonly connections: number;
  /** All received events, once there are this many. */
  received(count: number): Promise<unknown[]>;
  close(): void;
}

/** Listens to a URL like a browser, but with the API key. */
export function listenTo(url: string): Listener {
  const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
    const headers = { ...options.headers, authorization: `Bearer ${apiKey}` };
    return dispatch({ ...options, headers }, handler);
  });
  const events: unknown[] = [];
  let connections = 0;
  let failed = false;
  let wake = (): void => {};
  const source = new EventSource(url, { node: { dispatcher } });
  source.addEventListener("open", () => {
    connections += 1;
  });
  source.addEventListener("message", (message) => {
    events.push((JSON.parse((message as MessageEvent).data as string) as EventBody).event);
    wake();
  });
  source.addEventListener("error", () => {
    // Closed means that it no longer reconnects.
    failed = source.readyState === 2;
    wake();
  });
  return {
    get connections() {
      return connections;
    },
    async received(count) {
      while (events.length < count) {
        if (failed) throw new Error("The EventSource gave up");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return [...events];
    },
    close: () => {
      source.close();
    },
  };
}
