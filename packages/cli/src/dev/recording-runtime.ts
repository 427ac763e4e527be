import type {
  EndpointRequest,
  EndpointResponse,
  Execution,
  InvokeInput,
  Json,
  ObservedExecution,
  Runtime,
  UserRuntime,
} from "@x/runtime";

/** The last request, run-now event or event of an app from outside. */
type Recorded =
  | { readonly kind: "request"; readonly endpointKey: string; readonly request: EndpointRequest }
  | {
      readonly kind: "event";
      readonly sourceId: string;
      readonly input: InvokeInput;
      /** The caller's. */
      readonly runtime: UserRuntime;
    }
  /** What an event of an app ran: sent once more, the event would be a duplicate. */
  | { readonly kind: "app"; readonly runs: { readonly sourceId: string; readonly event: Json }[] };

/** A request with its response. */
export interface AnsweredRequest {
  readonly endpointKey: string;
  readonly request: EndpointRequest;
  readonly response: EndpointResponse;
  readonly durationMs: number;
}

/** The result of a replay. */
export type ReplayResult =
  | { readonly kind: "request"; readonly response: EndpointResponse }
  | { readonly kind: "runs"; readonly runs: readonly ReplayedRun[] };

export interface ReplayedRun {
  readonly sourceId: string;
  readonly execution: Execution;
}

/** A runtime that records the last request, run-now event or event of an app, and can replay it. */
export interface RecordingRuntime {
  /** The runtime for callers from outside. */
  readonly runtime: Runtime;
  /** Records an execution that an event of an app led to; another one is left out. */
  observe(observed: Pick<ObservedExecution, "source" | "type" | "event">): void;
  /** Sends the recorded request or event again; undefined when nothing is recorded yet. */
  replay(): Promise<ReplayResult | undefined>;
}

/** `answered` is called after every request, replayed ones included. */
export function createRecordingRuntime(runtime: Runtime, answered: (done: AnsweredRequest) => void): RecordingRuntime {
  let last: Recorded | undefined;

  async function request(endpointKey: string, input: EndpointRequest): Promise<EndpointResponse> {
    last = { kind: "request", endpointKey, request: input };
    const start = performance.now();
    const response = await runtime.request(endpointKey, input);
    answered({ endpointKey, request: input, response, durationMs: Math.round(performance.now() - start) });
    return response;
  }

  const recording = (acting: UserRuntime): Pick<UserRuntime, "invoke" | "appEvents"> => ({
    invoke(id, input = {}) {
      last = { kind: "event", sourceId: id, input, runtime: acting };
      return acting.invoke(id, input);
    },
    appEvents(...event) {
      last = { kind: "app", runs: [] };
      return acting.appEvents(...event);
    },
  });

  const rerun = async ({ runs }: Extract<Recorded, { kind: "app" }>): Promise<ReplayResult> => ({
    kind: "runs",
    runs: await Promise.all(
      runs.map(async ({ sourceId, event }) => ({ sourceId, execution: await runtime.invoke(sourceId, { event }) })),
    ),
  });

  return {
    runtime: {
      ...runtime,
      ...recording(runtime),
      request,
      as(userId) {
        const acting = runtime.as(userId);
        return { ...acting, ...recording(acting) };
      },
    },
    observe({ source, type, event }) {
      if (type !== "APP") return;
      // The request that brought the event was recorded before.
      if (last?.kind !== "app") last = { kind: "app", runs: [] };
      last.runs.push({ sourceId: source.id, event: JSON.parse(event) as Json });
    },
    async replay() {
      if (last === undefined) return undefined;
      if (last.kind === "app") return last.runs.length === 0 ? undefined : rerun(last);
      if (last.kind === "request") return { kind: "request", response: await request(last.endpointKey, last.request) };
      const { sourceId, input, runtime: acting } = last;
      const execution = await acting.invoke(sourceId, { ...input, wait: true });
      return { kind: "runs", runs: [{ sourceId, execution }] };
    },
  };
}
