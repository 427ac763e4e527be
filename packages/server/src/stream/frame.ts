import type { StoredEvent } from "@x/runtime";

import { jsonTexts } from "../json-text.ts";
import { viewEvent } from "../views.ts";

/** The first thing on a stream: what proxies wait for, and how soon to come back after a break. */
export const openingFrame: string = ": connected\nretry: 2000\n\n";

/** Keeps an idle connection from being taken for a dead one. */
export const beatFrame: string = ": keep-alive\n\n";

/** A line break in a text of JSON stands between values, where it means no more than a space; here it would end the line. */
const inOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replaceAll(/[\r\n]/g, " ") : text);

/** An event under its id, in pieces; without a name, so that `onmessage` hears it (G02, G03). */
export function* eventFrame(event: StoredEvent, select: (resource: object) => object): Generator<string> {
  yield `id: ${event.id}\ndata: `;
  for (const text of jsonTexts(select(viewEvent(event)))) yield inOneLine(text);
  yield "\n\n";
}

/** Something that is not an event of the source; it has no id, so that a client does not resume from it. */
export function noticeFrame(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
