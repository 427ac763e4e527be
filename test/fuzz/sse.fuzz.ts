import { array, constant, constantFrom, integer, oneof, record } from "fast-check";

import { type EventStream, openStream } from "../conformance/event-stream.ts";
import { component, type Service, startService } from "../conformance/fixture.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";

const paths = ["sse", "sse?stream=side", "sse?channels=all", "executions"] as const;
type Path = (typeof paths)[number];
const clients = 3;

type Step =
  /** A run that emits so many events. */
  | { readonly emit: number; readonly channel: "" | "side"; readonly size: number; readonly wait: boolean }
  | { readonly read: number; readonly client: number }
  /** The connection is cut; what it did not read is lost. */
  | { readonly cut: number };

interface Input {
  readonly clients: readonly Path[];
  readonly steps: readonly Step[];
}

const index = integer({ min: 0, max: clients - 1 });
const input = record(
  {
    clients: array(constantFrom(...paths), { minLength: 1, maxLength: clients }),
    steps: array(
      oneof(
        record(
          {
            emit: integer({ min: 1, max: 12 }),
            channel: constantFrom("" as const, "side" as const),
            size: oneof(
              { weight: 9, arbitrary: constant(3) },
              { weight: 1, arbitrary: integer({ min: 1, max: 90_000 }) },
            ),
            wait: constantFrom(true, false),
          },
          { noNullPrototype: true },
        ),
        record({ read: integer({ min: 1, max: 9 }), client: index }, { noNullPrototype: true }),
        record({ cut: index }, { noNullPrototype: true }),
      ),
      { maxLength: 24, size: "max" },
    ),
  },
  { noNullPrototype: true },
);

/** What was committed, in order. */
interface Committed {
  readonly id: string;
  readonly channel: string;
}
interface History {
  readonly events: readonly Committed[];
  readonly executions: readonly Committed[];
}

/** Ids that a notice says are lost: those after `after` and, of events, before `oldest`. */
interface Gap {
  readonly after: string;
  readonly oldest?: string;
}

const longestWaitMs = 30_000;
const isOn = (path: Path, channel: string): boolean =>
  path === "sse" ? channel === "" : path !== "sse?stream=side" || channel === "side";

/** A client that comes back with the last id that it has read. */
class Client {
  readonly path: Path;
  readonly #url: string;
  readonly #sourceId: string;
  readonly #began: string;
  readonly received: string[] = [];
  readonly gaps: Gap[] = [];
  #stream: EventStream | undefined;

  constructor(path: Path, url: string, sourceId: string, began: string) {
    this.path = path;
    this.#url = url;
    this.#sourceId = sourceId;
    this.#began = began;
  }

  get last(): string {
    return this.received.at(-1) ?? this.#began;
  }

  async #open(): Promise<EventStream> {
    const path =
      this.path === "executions"
        ? `/executions/stream?source_id=${this.#sourceId}`
        : `/sources/${this.#sourceId}/${this.path}`;
    const stream = await openStream(this.#url, path, this.last);
    if (stream.response.status !== 200) throw new Error(`${path} is answered with ${stream.response.status}`);
    return stream;
  }

  /** Reads one message; comes back when the server ends the stream. */
  async read(): Promise<void> {
    this.#stream ??= await this.#open();
    let hang: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      hang = setTimeout(() => reject(new Error(`${this.path}: nothing comes after ${this.last}`)), longestWaitMs);
    });
    const [message] = await Promise.race([this.#stream.take(1), late]).finally(() => clearTimeout(hang));
    if (!message) await this.cut();
    else if (message.event === "gap") this.gaps.push(JSON.parse(message.data) as Gap);
    else this.received.push(message.id ?? "");
  }

  /** True for what a notice says is lost. */
  isTold(id: string): boolean {
    return this.gaps.some(({ after, oldest }) => oldest === undefined || (isAfter(id, after) && isAfter(oldest, id)));
  }

  async cut(): Promise<void> {
    await this.#stream?.[Symbol.asyncDispose]();
    this.#stream = undefined;
  }

  /** Throws unless it has received everything since its beginning once and in order, but for what a notice says is lost. */
  check(history: History): void {
    const order = ownOf(this, history).map(({ id }) => id);
    const positions = this.received.map((id) => order.indexOf(id));
    const wrong = positions.findIndex((position, at) => position < 0 || position <= (positions[at - 1] ?? -1));
    if (wrong >= 0) throw new Error(`${this.path}: ${this.received[wrong]} comes after ${this.received[wrong - 1]}`);
    const got = new Set(this.received);
    const lost = order.filter((id) => !got.has(id) && !this.isTold(id));
    if (lost.length > 0) throw new Error(`${this.path}: ${lost.join()} never came; gaps ${JSON.stringify(this.gaps)}`);
  }
}

function isAfter(a: string, b: string): boolean {
  const [[ms = 0, seq = 0], [otherMs = 0, otherSeq = 0]] = [a, b].map((id) => id.split("-").map(Number)) as [
    number[],
    number[],
  ];
  return ms > otherMs || (ms === otherMs && seq > otherSeq);
}

/** What a client should receive. */
const ownOf = ({ path }: Client, { events, executions }: History): readonly Committed[] =>
  path === "executions" ? executions : events.filter(({ channel }) => isOn(path, channel));

/** True while something may come that it has not received. */
function isBehind(client: Client, history: History): boolean {
  const order = ownOf(client, history).map(({ id }) => id);
  return order.slice(order.indexOf(client.last) + 1).some((id) => !client.isTold(id));
}

const speaker = component({
  name: "Speaker",
  run: "for (let n = 0; n < event.emit; n += 1) this.$emit('x'.repeat(event.size), event.channel === '' ? {} : { name: event.channel })",
});

async function check(service: Service, { clients: kinds, steps }: Input): Promise<void> {
  const source = await service.deploy(speaker);
  const history = { events: [] as Committed[], executions: [] as Committed[] };
  const speak = async (emit: number, channel: string, size: number): Promise<void> => {
    const { execution_id, emitted } = await service.run(source.id, { emit, channel, size });
    history.executions.push({ id: execution_id, channel });
    history.events.push(...emitted.map(({ id }) => ({ id, channel })));
  };
  // A first one, after which the clients begin.
  await speak(1, "", 1);
  await service.runtime.idle();
  const began = { event: history.events.pop()?.id ?? "", execution: history.executions.pop()?.id ?? "" };
  const connected = kinds.map(
    (path) => new Client(path, service.url, source.id, path === "executions" ? began.execution : began.event),
  );
  let speaking: Promise<unknown> = Promise.resolve();
  try {
    for (const step of steps) {
      if ("emit" in step) {
        const { emit, channel, size, wait } = step;
        speaking = speaking.then(() => speak(emit, channel, size));
        if (wait) await speaking;
      } else if ("cut" in step) await connected[step.cut]?.cut();
      else {
        const client = connected[step.client];
        await speaking;
        if (client) for (let left = step.read; left > 0 && isBehind(client, history); left -= 1) await client.read();
      }
    }
    await speaking;
    await speak(1, "", 1);
    await speak(1, "side", 1);
    for (const client of connected) {
      while (isBehind(client, history)) await client.read();
      client.check(history);
    }
  } finally {
    await speaking.catch(() => undefined);
    for (const client of connected) await client.cut();
    await service.call("DELETE", `/sources/${source.id}`);
  }
}

export const sseFuzzer: Fuzzer = {
  name: "sse",
  about: "a client whose connections break receives every event once, in order, or a notice of what is lost",
  runs: 60,
  async open() {
    const service = await startService(
      { packages: false, limits: { retention: 20 } },
      { app: { streams: { backlog: 15 } } },
    );
    return defineTarget<Input>({
      arbitrary: input,
      property: (given) => check(service, given),
      close: async () => service[Symbol.asyncDispose](),
    });
  },
};
