import { apiKey, type EventBody } from "./fixture.ts";

/** One message of a stream. */
export interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

/** A client of server-sent events. */
export interface EventStream extends AsyncDisposable {
  readonly response: Response;
  /** The id to resume from. */
  readonly lastId: string;
  /** Comments so far. */
  readonly comments: readonly string[];
  readonly retry: number | undefined;
  /** The next messages; fewer when the stream ends. */
  take(count: number): Promise<Message[]>;
  /** Payloads of the next events. */
  payloads(count: number): Promise<unknown[]>;
  /** Resolves when the server has ended or aborted the stream. */
  ended(): Promise<"ended" | "broken">;
}

/** Parses the fields of blocks separated by empty lines, like a browser. */
class Parser {
  readonly comments: string[] = [];
  retry: number | undefined;
  #rest = "";
  #data: string[] = [];
  #event: string | undefined;
  #id: string | undefined;

  *read(text: string): Generator<Message> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") yield* this.#dispatch();
      else this.#field(line);
    }
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "") this.comments.push(value);
    else if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id") this.#id = value;
    else if (name === "retry") this.retry = Number(value);
  }

  *#dispatch(): Generator<Message> {
    const [data, event, id] = [this.#data, this.#event, this.#id];
    this.#data = [];
    this.#event = undefined;
    this.#id = undefined;
    if (data.length === 0) return;
    yield { ...(id !== undefined && { id }), ...(event !== undefined && { event }), data: data.join("\n") };
  }
}

/** Connects to a stream below /v1; resumes when a last id is given. */
export async function openStream(url: string, path: string, lastId?: string): Promise<EventStream> {
  const stop = new AbortController();
  const response = await fetch(`${url}/v1${path}`, {
    headers: { authorization: `Bearer ${apiKey}`, ...(lastId !== undefined && { "last-event-id": lastId }) },
    signal: stop.signal,
  });
  const parser = new Parser();
  const waiting: Message[] = [];
  let last = lastId ?? "";
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let outcome: "ended" | "broken" | undefined;

  async function readMore(): Promise<void> {
    try {
      const part = await reader?.read();
      if (!part || part.done) outcome = "ended";
      else waiting.push(...parser.read(decoder.decode(part.value, { stream: true })));
    } catch {
      outcome = "broken";
    }
  }

  async function take(count: number): Promise<Message[]> {
    while (waiting.length < count && !outcome) await readMore();
    const taken = waiting.splice(0, count);
    last = taken.findLast((message) => message.id !== undefined)?.id ?? last;
    return taken;
  }

  return {
    response,
    get lastId() {
      return last;
    },
    comments: parser.comments,
    get retry() {
      return parser.retry;
    },
    take,
    async payloads(count) {
      const messages = await take(count);
      return messages.map(({ data }) => (JSON.parse(data) as EventBody).event);
    },
    async ended() {
      while (!outcome) await readMore();
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reader?.cancel().catch(() => undefined);
    },
  };
}
