import type { EndpointRequest } from "../../api/api.ts";
import type { Json } from "@x/model";
import type { AppEvent } from "../app-event.ts";

/** A request whose sender is known. */
export interface ReadableRequest {
  readonly request: EndpointRequest;
  /** The event of `run` for an HTTP request like this. */
  readonly event: { readonly [field: string]: Json };
  /** The endpoint addresses accounts of all users: an event that cannot be addressed must reach nobody. */
  readonly allUsers: boolean;
}

/** A service whose requests the runtime can read. */
export interface AppService {
  readonly name: string;
  /** Slugs of apps whose events come from it. */
  readonly slugs: readonly string[];
  /** The scheme of its requests. */
  readonly scheme: string;
  /** What its secret is called there. */
  readonly secret: string;
  /** Fields of `$auth` that its events are addressed by. */
  readonly addressedBy: readonly string[];
  /** Where its URL is entered, and what else to do there: a sentence each. */
  readonly steps: readonly string[];
  /** The events of a request; undefined when it cannot be read. */
  read(request: ReadableRequest): readonly AppEvent[] | undefined;
}
