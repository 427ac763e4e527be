import type { RequestDraft } from "../runs/request-draft.ts";

const maxKept = 10;
const placeOf = (sourceId: string): string => `x-sent-${sourceId}`;

/** The last requests that were sent from this browser, newest first, without secrets. */
export function sentRequests(sourceId: string): readonly RequestDraft[] {
  try {
    return JSON.parse(localStorage.getItem(placeOf(sourceId)) ?? "[]") as readonly RequestDraft[];
  } catch {
    return [];
  }
}

/** Remembers a request; an equal one is not repeated. */
export function rememberSent(sourceId: string, draft: RequestDraft): void {
  const text = JSON.stringify(draft);
  const others = sentRequests(sourceId).filter((each) => JSON.stringify(each) !== text);
  try {
    localStorage.setItem(placeOf(sourceId), JSON.stringify([draft, ...others].slice(0, maxKept)));
  } catch {
    // The browser keeps no more: what was sent stays sent.
  }
}
