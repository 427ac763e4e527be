import type { EventSummary } from "@x/client";

/** What a search of events asks for: the value at a place of the event, or a text anywhere in it. */
export type EventFilter =
  | {
      readonly kind: "value";
      /** As the service takes it in `q`. */
      readonly q: string;
      /** The members that lead to the place, from the outermost. */
      readonly members: readonly string[];
      /** The value, as text or as JSON. */
      readonly wanted: string;
    }
  | { readonly kind: "text"; readonly text: string };

/** Reads a search: `/pointer=value` with a JSON pointer (RFC 6901), or plain text. */
export function parseEventFilter(search: string): EventFilter {
  const equals = search.indexOf("=");
  if (!search.startsWith("/") || equals < 0) return { kind: "text", text: search.trim().toLowerCase() };
  const members = search
    .slice(1, equals)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { kind: "value", q: search, members, wanted: search.slice(equals + 1) };
}

function findMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9][0-9]{0,9})$/.test(name) ? value[Number(name)] : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Whether an event belongs to a search, as the service decides it for `q`; in texts case does not matter. */
export function matchesEvent(filter: EventFilter, { id, metadata, event }: EventSummary): boolean {
  if (filter.kind === "value") {
    const found = filter.members.reduce<unknown>(findMember, event);
    return found !== undefined && (found === filter.wanted || JSON.stringify(found) === filter.wanted);
  }
  if (filter.text === "") return true;
  const texts = [id, metadata.summary ?? "", metadata.id ?? "", JSON.stringify(event) ?? ""];
  return texts.some((text) => text.toLowerCase().includes(filter.text));
}
