import { defineRoute, type Route } from "../route.ts";
import { viewUser } from "../views.ts";

/** The user that a key belongs to. */
export const userRoutes: readonly Route[] = [
  defineRoute<"/users/me">({
    method: "GET",
    path: "/users/me",
    summary: "Read the user that the API key belongs to",
    async handle({ runtime, userId, resource }) {
      return resource(200, viewUser(await runtime.user(userId)));
    },
  }),
];
