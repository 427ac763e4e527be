/** One frame of a stream of server-sent events. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds to wait before coming back. */
  readonly retry?: number;
}

function parseFrame(lines: readonly string[]): Frame {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    fields.set(name, name === "data" && fields.has("data") ? `${fields.get("data")}\n${value}` : value);
  }
  const [id, event, data, retry] = ["id", "event", "data", "retry"].map((name) => fields.get(name));
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retry: Number(retry) }),
  };
}

/** The frames in a body; comments are left out, and so is a frame that the end of the body cuts. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (line !== "" && !line.startsWith(":")) lines.push(line);
      if (line !== "" || lines.length === 0) continue;
      yield parseFrame(lines);
      lines = [];
    }
  }
}
