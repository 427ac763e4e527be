/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { readonly [name: string]: Json };

/** The answer of a route that never ends: read it with `follow`. */
export interface EventStream {
  readonly mediaType: "text/event-stream";
}
