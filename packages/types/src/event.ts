import type { HttpEvent } from "./http.ts";
import type { TimerEvent } from "./timer.ts";

type TypeOf<P> = P extends string ? P : P["type" & keyof P];

/**
 * Both interfaces: a field of one tells the two apart, `method` best. Interval and timestamp may be 0 for the compiler, and
 * `in` keeps what may have the field, so that neither excludes the timer: the other fields are never there, and so each has
 * the type that it has in a request.
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
    : // oxlint-disable-next-line typescript/no-explicit-any -- no interface tells what it is
      any;

/** What `run` gets: the events of the interfaces among the props. Without one it is whatever it is called with. */
export type EventFor<S> = EventOf<TypeOf<S[keyof S]>>;
