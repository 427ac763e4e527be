import type { ManualClock } from "@x/runtime";

import { jsonAnswer } from "../answer.ts";
import { record } from "../openapi/shapes.ts";
import { defineRoute, type Route } from "../route.ts";

interface AdvanceBody {
  readonly ms: number;
}

const longestMs = 366 * 24 * 60 * 60 * 1000;

/** Moves a clock that does not move by itself. */
export const clockRoutes = (clock: ManualClock): readonly Route[] => [
  defineRoute<"/clock/advance", object, AdvanceBody>({
    name: "advanceClock",
    tag: "Service",
    method: "POST",
    path: "/clock/advance",
    // Everybody's time moves.
    firstUserOnly: true,
    summary: "Move the time of a service with a manual clock",
    description:
      "Answers when everything that became due has run. Other services do not have this path, and other users than the first.",
    errors: ["not_found"],
    body: {
      ms: { type: "integer", minimum: 0, maximum: longestMs, description: `an integer from 0 to ${longestMs}` },
    },
    required: ["ms"],
    bodyExample: { ms: 300_000 },
    answer: {
      status: 200,
      description: "The time it is now.",
      schema: record({ data: record({ now_ms: { type: "number", description: "Epoch milliseconds." } }) }),
    },
    async handle({ runtime, body: { ms } }) {
      clock.advance(ms);
      await runtime.idle();
      return jsonAnswer(200, { data: { now_ms: clock.now() } });
    },
  }),
];
