import { advanceInSteps, type ManualClock } from "@x/runtime";

import { jsonAnswer } from "../answer.ts";
import { record } from "../openapi/shapes.ts";
import { defineRoute, type Route } from "../route.ts";

interface AdvanceBody {
  readonly ms: number;
}

const longestMs = 100 * 366 * 24 * 60 * 60 * 1000;

/** Moves a clock that does not move by itself. */
export function clockRoutes(clock: ManualClock): readonly Route[] {
  // One after another: each moves to a time of its own.
  let former: Promise<unknown> = Promise.resolve();
  return [
    defineRoute<"/clock/advance", object, AdvanceBody>({
      name: "advanceClock",
      tag: "Service",
      method: "POST",
      path: "/clock/advance",
      // Everybody's time moves.
      firstUserOnly: true,
      summary: "Move the time of a service with a manual clock",
      description:
        "Time passes in steps: every tick and every attempt to deliver comes at its own time, in order; the answer comes when all of it has run. Beyond 10,000 steps the ticks of a source coalesce, as after downtime, and `coalesced` is true. Other services do not have this path, and other users than the first.",
      errors: ["not_found"],
      body: {
        ms: { type: "integer", minimum: 0, maximum: longestMs, description: `an integer from 0 to ${longestMs}` },
      },
      required: ["ms"],
      bodyExample: { ms: 300_000 },
      answer: {
        status: 200,
        description: "The time it is now.",
        schema: record({
          data: record({
            now_ms: { type: "number", description: "Epoch milliseconds." },
            steps: { type: "integer", description: "How often something fell due." },
            coalesced: { type: "boolean", description: "There were more steps than it takes." },
          }),
        }),
      },
      async handle({ service, body: { ms } }) {
        const mine = former.then(() => advanceInSteps(clock, ms, () => service.idle()));
        former = mine.catch(() => undefined);
        const { steps, coalesced } = await mine;
        return jsonAnswer(200, { data: { now_ms: clock.now(), steps, coalesced } });
      },
    }),
  ];
}
