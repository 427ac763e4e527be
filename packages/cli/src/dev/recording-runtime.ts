import type { EndpointRequest, EndpointResponse, Execution, InvokeInput, Runtime, UserRuntime } from "@x/runtime";

/** The last request or run-now event from outside. */
type Recorded =
  | { readonly kind: "request"; readonly endpointKey: string; readonly request: EndpointRequest }
  | {
      readonly kind: "event";
      readonly sourceId: string;
      readonly input: InvokeInput;
      /** The caller's. */
      readonly runtime: UserRuntime;
    };

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
  | { readonly kind: "event"; readonly sourceId: string; readonly execution: Execution };

/** A runtime that records the last request or run-now event, and can replay it. */
export interface RecordingRuntime {
  /** The runtime for callers from outside. */
  readonly runtime: Runtime;
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

  const recording = (acting: UserRuntime): Pick<UserRuntime, "invoke"> => ({
    invoke(id, input = {}) {
      last = { kind: "event", sourceId: id, input, runtime: acting };
      return acting.invoke(id, input);
    },
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
    async replay() {
      if (last === undefined) return undefined;
      if (last.kind === "request") return { kind: "request", response: await request(last.endpointKey, last.request) };
      const { sourceId, input, runtime: acting } = last;
      return { kind: "event", sourceId, execution: await acting.invoke(sourceId, { ...input, wait: true }) };
    },
  };
}
