import { viewExecution } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { one } from "../route-answer.ts";
import { checkKind } from "../emitter-kind.ts";

const route = tagged("Sources");

/** The end of the year 9999. */
const latestMs = 253_402_300_799_999;

const runRoute = (path: "/sources/:id/run" | "/sources/:id/event", name: string, summary: string): Route =>
  route(`POST ${path}`, {
    name,
    summary,
    description: [
      "Without `event` a source with a timer gets a timer event, one with only an HTTP interface a POST of the component's",
      '`sampleEmit`, else of `{}`, any other an empty object. `event` may be a part of a request, such as `{"body":{}}`.',
      "A run that throws is a 200 with `status: error`. With `wait: false` the answer comes as soon as the run is stored.",
      "An inactive source runs only with `force: true`.",
    ].join("\n"),
    bodyExample: { event: { id: 7 } },
    errors: ["inactive", "queue_full"],
    answer: one("Execution", "The run, or its id while it is queued."),
    body: {
      event: { description: "any JSON value" },
      tick_at_ms: {
        type: "integer",
        minimum: 0,
        maximum: latestMs,
        description: "epoch milliseconds; without `event`, the time of the timer event",
      },
      wait: { type: "boolean", description: "true or false" },
      force: { type: "boolean", description: "true or false" },
    },
    // Not an async function: its frame would hold the event until the run has ended.
    handle({ runtime, params, body: { tick_at_ms: tickAt, ...body } }) {
      // R004: REST does not run workflows.
      checkKind({ noun: "source", idPrefix: "dc_" }, params.id);
      const input = { ...body, ...(tickAt !== undefined && { tickAt }) };
      return runtime.invoke(params.id, input).then(viewExecution);
    },
  });

/** Runs a source now. */
export const runRoutes: readonly Route[] = [
  runRoute("/sources/:id/run", "runSource", "Run a source now"),
  runRoute("/sources/:id/event", "sendEvent", "Run a source now, by its other name"),
];
