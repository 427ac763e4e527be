import type { HttpEvent } from "./http.ts";
import type { TimerEvent } from "./timer.ts";

type TypeOf<P> = P extends string ? P : P["type" & keyof P];

/** Both interfaces: a field of one tells the two apart. */
type EitherEvent =
  | (HttpEvent & { readonly [X in Exclude<keyof TimerEvent, keyof HttpEvent>]?: undefined })
  // Interval and timestamp may be 0 for the compiler, so that a test of them alone tells too little: the rest is loose.
  // oxlint-disable-next-line typescript/no-explicit-any -- said above
  | (TimerEvent & { readonly [X in Exclude<keyof HttpEvent, keyof TimerEvent>]?: any });

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
