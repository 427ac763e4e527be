import { defineRoute, type Route } from "../route.ts";
import { dataOf } from "../openapi/shapes.ts";
import { viewUser } from "../views.ts";

/** The user that a key belongs to. */
export const userRoutes: readonly Route[] = [
  defineRoute<"/users/me">({
    name: "readUser",
    tag: "User",
    method: "GET",
    path: "/users/me",
    summary: "Read the user that the API key belongs to",
    description:
      "A paid account has a billing period and the number of invocations in it instead of the key and the daily counters.",
    answer: { status: 200, description: "The user.", schema: dataOf("User") },
    async handle({ runtime, resource }) {
      return resource(200, viewUser(await runtime.user()));
    },
  }),
];
