import type { ManualClock } from "@x/runtime";

import { record } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { one } from "../route-answer.ts";

const route = tagged("Service");

const longestMs = 100 * 366 * 24 * 60 * 60 * 1000;

/** Moves a manual clock. */
export function clockRoutes(clock: ManualClock): readonly Route[] {
  return [
    route("GET /clock", {
      name: "readClock",
      firstUserOnly: true,
      summary: "Read the time of a service with a manual clock",
      description: "The path exists only for the first user of a service with a manual clock.",
      answer: one(record({ now_ms: { type: "number", description: "Epoch milliseconds." } }), "The time."),
      handle: async () => ({ now_ms: clock.now() }),
    }),
    route("POST /clock/advance", {
      name: "advanceClock",
      // The clock is that of all users.
      firstUserOnly: true,
      summary: "Move the time of a service with a manual clock",
      description:
        "Time moves in steps: each tick and each delivery attempt runs at its due time, in order; the answer comes when all have run. Beyond 10,000 steps the ticks of a source coalesce, as after downtime, and `coalesced` is true. The path exists only for the first user of a service with a manual clock.",
      body: {
        ms: { type: "integer", minimum: 0, maximum: longestMs, description: `an integer from 0 to ${longestMs}` },
      },
      required: ["ms"],
      bodyExample: { ms: 300_000 },
      answer: one(
        record({
          now_ms: { type: "number", description: "Epoch milliseconds." },
          steps: { type: "integer", description: "Number of due times." },
          coalesced: { type: "boolean", description: "True when there were more than 10,000 steps." },
        }),
        "The new time.",
      ),
      async handle({ body: { ms } }) {
        const { steps, coalesced } = await clock.advance(ms);
        return { now_ms: clock.now(), steps, coalesced };
      },
    }),
  ];
}
