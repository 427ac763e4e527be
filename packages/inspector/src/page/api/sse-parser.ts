/** One server-sent event. */
export interface ServerEvent {
  /** The last id, also of an earlier event; empty when there is none. */
  readonly id: string;
  /** Its name; `message` for unnamed ones. */
  readonly name: string;
  readonly data: string;
}

export interface SseParser {
  /** Parses the next piece of the stream. */
  feed(text: string): void;
}

interface SseHandlers {
  event(event: ServerEvent): void;
  /** The time to wait before a reconnect, in milliseconds. */
  retry?(ms: number): void;
}

/** Parses a stream of server-sent events, whatever pieces it comes in. */
export function createSseParser(handlers: SseHandlers): SseParser {
  let rest = "";
  let id = "";
  let name = "";
  let data: string[] = [];

  function endEvent(): void {
    if (data.length > 0) handlers.event({ id, name: name || "message", data: data.join("\n") });
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
    else if (field === "retry" && /^\d+$/.test(value)) handlers.retry?.(Number(value));
  }

  return {
    feed(text) {
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) readLine(line);
    },
  };
}
