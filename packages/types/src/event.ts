import type { HttpEvent } from "./http.ts";
import type { TimerEvent } from "./timer.ts";

type TypeOf<P> = P extends string ? P : P["type" & keyof P];

/**
 * The event of a component with both interfaces. `method` discriminates best. A check of `timestamp` or `interval_seconds`
 * does not exclude the timer, because both may be 0, nor does `in`, which keeps a type that may have the field: so the other
 * HTTP fields are `never` in a timer event, and keep their types of a request.
 */
type EitherEvent =
  | (HttpEvent & { readonly [X in keyof TimerEvent]?: undefined })
  | (TimerEvent & { readonly method?: undefined } & { readonly [X in Exclude<keyof HttpEvent, "method">]: never });

type EventOf<T> = "$.interface.http" extends T
  ? "$.interface.timer" extends T
    ? EitherEvent
    : HttpEvent
  : "$.interface.timer" extends T
    ? TimerEvent
    : // oxlint-disable-next-line typescript/no-explicit-any -- without an interface the event is unknown
      any;

/** The argument of `run`: the event of the component's interfaces; `any` without an interface. */
export type EventFor<S> = EventOf<TypeOf<S[keyof S]>>;
