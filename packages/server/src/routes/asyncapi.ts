import { jsonAnswer } from "@x/http";
import { describeEvents } from "../asyncapi/document.ts";
import { readUserEvents } from "../asyncapi/read-events.ts";
import { type Route, tagged } from "../route.ts";

const route = tagged("Events");

/** The AsyncAPI description of what a user's sources, workflows and webhooks send. */
export const asyncApiRoutes: readonly Route[] = [
  route("GET /asyncapi.json", {
    name: "readAsyncApi",
    summary: "Read the AsyncAPI 3.0 description of the user's streams and webhooks",
    description: [
      "A channel for each source, workflow and webhook, with what its messages look like. Of more than 1,000 sources, workflows",
      "or webhooks the newest, and of more than 2,000 subscriptions the newest.",
    ].join("\n"),
    answer: { status: 200, description: "The document.", schema: { type: "object" } },
    async handle({ runtime }) {
      return jsonAnswer(200, describeEvents(await readUserEvents(runtime)));
    },
  }),
];
