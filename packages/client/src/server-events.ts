/** One event of a stream. */
export interface ServerEvent {
  /** The id to go on after; also of an earlier event when it has none of its own. Empty when there was none. */
  readonly id: string;
  /** `message`, unless the stream names it: `gap` says that events are gone, because only the newest are kept. */
  readonly name: string;
  /** JSON. */
  readonly data: string;
}

interface Handlers {
  event(event: ServerEvent): void;
  /** The time to wait before a reconnect, in milliseconds. */
  retry(ms: number): void;
  /** An id without an event: what comes from now on comes after it. */
  position?(id: string): void;
}

/** Parses server-sent events, in whatever pieces they come: returns the function that takes a piece. */
export function createEventParser(handlers: Handlers): (text: string) => void {
  let rest = "";
  let id = "";
  let name = "";
  let data: string[] = [];

  function endEvent(): void {
    if (data.length > 0) handlers.event({ id, name: name || "message", data: data.join("\n") });
    else if (id !== "") handlers.position?.(id);
    name = "";
    data = [];
  }

  function readLine(line: string): void {
    if (line === "") return endEvent();
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") name = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) handlers.retry(Number(value));
  }

  return (text) => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) readLine(line);
  };
}
