import { createClient, RestError } from "@x/client";
import type { FollowState as ClientState, PartsOf, ServerEvent, StreamRoute } from "@x/client";

import { endRefusedSession, serviceUrl } from "./client.ts";
import { session } from "./session.ts";

/** Where a stream stands: `off` when the service does not have it. */
export type FollowState = ClientState | "off";

export interface FollowOptions<Route extends StreamRoute> {
  readonly route: Route;
  readonly parts: PartsOf<Route>;
  readonly event: (event: ServerEvent) => void;
  readonly state?: (state: FollowState) => void;
}

/**
 * Follows server-sent events until the returned function is called. While the page is hidden it does not connect: a window in
 * the background gives its connection to others.
 */
export function follow<Route extends StreamRoute>({ route, parts, event, state }: FollowOptions<Route>): () => void {
  let lastEventId: string | undefined;
  let key: string | undefined;
  let connection = new AbortController();
  const client = createClient({
    url: serviceUrl,
    apiKey: () => (key = session.value?.key),
    fetch: (request) => fetch(request, { cache: "no-store", credentials: "omit" }),
  });

  async function read({ signal }: AbortController): Promise<void> {
    try {
      for await (const given of client.follow(route, { ...parts, signal, lastEventId, onState: state })) {
        lastEventId = given.id || lastEventId;
        event(given);
      }
    } catch (error) {
      if (error instanceof RestError) endRefusedSession(error, key);
      state?.("off");
    }
  }

  function watchVisibility(): void {
    connection.abort();
    connection = new AbortController();
    if (document.visibilityState === "visible") void read(connection);
    else state?.("waiting");
  }

  document.addEventListener("visibilitychange", watchVisibility);
  watchVisibility();
  return () => {
    document.removeEventListener("visibilitychange", watchVisibility);
    connection.abort();
  };
}
