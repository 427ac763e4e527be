import { type Runtime, type User, XError } from "@x/runtime";

import type { Inspector } from "./inspector/inspector.ts";
import type { Route } from "./route.ts";

const bearerPattern = /^Bearer +([^\s,]{1,512})$/i;

/** Who asks, and with which key. */
interface Caller {
  readonly user: User;
  /** Empty for a route without a key. */
  readonly bearer: string;
}

/**
 * Makes the function that finds who asks: by API key, or by the key of a session, which only pages of this service may use. Routes
 * without a key act for the first user, and only for pages of this service. It throws `unauthorized` and `foreign_request`.
 */
export function findCaller(
  runtime: Pick<Runtime, "authenticate" | "user">,
  inspector: Inspector | undefined,
): (request: Request, route: Pick<Route, "open">) => Promise<Caller> {
  async function signedIn(key: string, headers: Headers): Promise<User | undefined> {
    const user = await inspector?.sessions.authenticate(key);
    if (user) inspector?.checkOwn(headers);
    return user;
  }

  return async ({ headers }, { open }) => {
    if (open) {
      inspector?.checkOwn(headers);
      return { user: (await runtime.user()).user, bearer: "" };
    }
    const bearer = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
    if (bearer === undefined) throw new XError("unauthorized", []);
    const user = (await runtime.authenticate(bearer)) ?? (await signedIn(bearer, headers));
    if (!user) throw new XError("unauthorized", []);
    return { user, bearer };
  };
}
