import { XError } from "@x/runtime";

import type { Inspector } from "../inspector/inspector.ts";
import { isSessionKey, type SignIn } from "../inspector/sessions.ts";
import { toSeconds } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { nothing, one } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";

const route = tagged("User");

const token = {
  type: "string",
  minLength: 1,
  maxLength: 512,
  description: "the token of a sign-in link",
} as const satisfies ParameterSchema;
const apiKey = {
  type: "string",
  minLength: 1,
  maxLength: 512,
  description: "an API key",
} as const satisfies ParameterSchema;

function readSignIn(given: { readonly token: string | undefined; readonly apiKey: string | undefined }): SignIn {
  if (given.token !== undefined) return { token: given.token };
  if (given.apiKey !== undefined) return { apiKey: given.apiKey };
  throw new XError("missing_parameter", ["token", "one of token, api_key"], {
    details: { errors: [{ path: "", message: "must have one of token, api_key" }] },
  });
}

/** Sessions of the inspector; `hasClock` says whether the service has a manual clock. */
export const sessionRoutes = ({ sessions }: Pick<Inspector, "sessions">, hasClock: boolean): readonly Route[] => [
  route("POST /sessions", {
    name: "signIn",
    open: true,
    summary: "Sign in to the inspector",
    description: [
      "For services with an inspector. `token` is that of the link that the service prints; it works once, for half an hour.",
      "The session key is a bearer key for 12 hours. It ends with the API key of its user, and when the service stops.",
      "Refused for a `Host` that is not of this service, and for pages of other sites.",
    ].join("\n"),
    errors: ["foreign_request", "unauthorized"],
    body: { token, api_key: apiKey },
    bodyExample: { api_key: "the-key-of-the-account" },
    answer: one("Session", "The session."),
    async handle({ service, body: { token: given, api_key: key } }) {
      const session = await sessions.signIn(readSignIn({ token: given, apiKey: key }));
      if (!session) throw new XError("unauthorized", []);
      const { id, username } = session.user;
      const isFirst = id === service.firstUserId;
      return {
        session_key: session.key,
        expires_at: toSeconds(session.expiresAt),
        user: { id, username },
        // So that a page need not try the paths that only the first user has.
        first_user: isFirst,
        manual_clock: isFirst && hasClock,
      };
    },
  }),
  route("POST /sessions/tokens", {
    name: "createSignInToken",
    firstUserOnly: true,
    summary: "Make a token for a sign-in link",
    description: [
      "Only for the API key of the first user, not for a session key. The link is `<service>/#/sign-in?token=<token>`: it",
      "signs in the first user, once, for half an hour.",
    ].join("\n"),
    errors: ["unauthorized"],
    answer: one("SignInToken", "The token."),
    async handle({ bearer }) {
      // Otherwise a session that somebody else has could be made to last.
      if (isSessionKey(bearer)) throw new XError("unauthorized", []);
      const { token: made, expiresAt, told } = sessions.issueToken();
      await told;
      return { token: made, expires_at: toSeconds(expiresAt) };
    },
  }),
  route("DELETE /sessions", {
    name: "signOut",
    summary: "Sign out of the inspector",
    description: "Ends the session whose key the request came with. An API key stays.",
    answer: nothing("The session has ended."),
    handle: ({ bearer }) => sessions.signOut(bearer),
  }),
];
