import type { EndpointRequest, EndpointResponse, Execution, InvokeInput, Runtime, UserRuntime } from "@x/runtime";

/** What came from outside last. */
type Arrival =
  | { readonly kind: "request"; readonly endpointKey: string; readonly request: EndpointRequest }
  | {
      readonly kind: "event";
      readonly sourceId: string;
      readonly input: InvokeInput;
      /** Of whoever called. */
      readonly runtime: UserRuntime;
    };

/** What was done with a request. */
export interface Answered {
  readonly endpointKey: string;
  readonly request: EndpointRequest;
  readonly response: EndpointResponse;
  readonly durationMs: number;
}

/** What a replay did. */
export type Replayed =
  | { readonly kind: "request"; readonly response: EndpointResponse }
  | { readonly kind: "event"; readonly sourceId: string; readonly execution: Execution };

/** A runtime that remembers the last request or run-now, and can do it again. */
export interface RememberingRuntime {
  /** For whoever calls from outside. */
  readonly runtime: Runtime;
  /** The same once more; undefined when nothing has come yet. */
  replay(): Promise<Replayed | undefined>;
}

/** `answered` hears of every request, also of a replayed one. */
export function rememberLast(runtime: Runtime, answered: (done: Answered) => void): RememberingRuntime {
  let last: Arrival | undefined;

  async function request(endpointKey: string, given: EndpointRequest): Promise<EndpointResponse> {
    last = { kind: "request", endpointKey, request: given };
    const start = performance.now();
    const response = await runtime.request(endpointKey, given);
    answered({ endpointKey, request: given, response, durationMs: Math.round(performance.now() - start) });
    return response;
  }

  const remembering = (acting: UserRuntime): Pick<UserRuntime, "invoke"> => ({
    invoke(id, input = {}) {
      last = { kind: "event", sourceId: id, input, runtime: acting };
      return acting.invoke(id, input);
    },
  });

  return {
    runtime: {
      ...runtime,
      ...remembering(runtime),
      request,
      as(userId) {
        const acting = runtime.as(userId);
        return { ...acting, ...remembering(acting) };
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
