import type { Json } from "@x/runtime";

import { defineRoute, type Route } from "../route.ts";
import { viewExecution } from "../views.ts";

interface RunBody {
  readonly event?: Json;
  readonly wait?: boolean;
  readonly force?: boolean;
}

const runRoute = <const Path extends "/sources/:id/run" | "/sources/:id/event">(path: Path): Route =>
  defineRoute<"/sources/:id/run" | "/sources/:id/event", object, RunBody>({
    method: "POST",
    path,
    summary: "Run a source now",
    body: {
      event: { description: "any JSON value" },
      wait: { type: "boolean", description: "true or false" },
      force: { type: "boolean", description: "true or false" },
    },
    async handle({ runtime, userId, params, body: { event, wait, force }, resource }) {
      const input = {
        ...(event !== undefined && { event }),
        ...(wait !== undefined && { wait }),
        ...(force !== undefined && { force }),
      };
      return resource(200, viewExecution(await runtime.invoke(params.id, input, userId)));
    },
  });

/** Run-now (contract 3.10). */
export const runRoutes: readonly Route[] = [runRoute("/sources/:id/run"), runRoute("/sources/:id/event")];
