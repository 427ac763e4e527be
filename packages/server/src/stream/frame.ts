import { formatEventId, type StoredEvent } from "@x/runtime";

import { viewEvent } from "../views.ts";

/** The first thing on a stream: what proxies wait for, and how soon to come back after a break. */
export const openingFrame: string = ": connected\nretry: 2000\n\n";

/** Keeps an idle connection from being taken for a dead one. */
export const beatFrame: string = ": keep-alive\n\n";

/** An event under its id; without a name, so that `onmessage` hears it (G02, G03). */
export function eventFrame(event: StoredEvent, select: (resource: object) => object): string {
  return `id: ${formatEventId(event.id)}\ndata: ${JSON.stringify(select(viewEvent(event, true)))}\n\n`;
}

/** Something that is not an event of the source; it has no id, so that a client does not resume from it. */
export function noticeFrame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
