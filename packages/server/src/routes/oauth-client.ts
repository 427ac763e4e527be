import { didYouMean, type NewOAuthClient, readEach, XError } from "@x/runtime";

import { excerpt } from "@x/http";
import { camel, serverNames } from "@x/resources";

const longestName = 100;

/** Names of the members of a client in requests, those of its server among them. */
const names: readonly string[] = ["service", "grant", "client_id", "client_secret", ...serverNames];

/** A member of a client, by its name in requests. Throws `invalid_parameter` for other names, those of the runtime among them. */
function readMember(name: string): string {
  if (names.includes(name)) return camel(name);
  const expected = `one of ${names.join(", ")}${didYouMean(name, names)}`;
  const shown = excerpt(name, longestName);
  const problem = { in: "body", path: `/oauth/${shown}`, message: `must be ${expected}` };
  throw new XError("invalid_parameter", [`oauth.${shown}`, expected, "an unknown name"], {
    details: { errors: [problem] },
  });
}

/** The client in a request. The runtime validates the values. */
export function readClient(given: unknown): NewOAuthClient {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given as NewOAuthClient;
  const members = readEach(
    Object.entries(given).map(
      ([name, value]: [string, unknown]) =>
        () =>
          [readMember(name), value] as const,
    ),
  );
  return Object.fromEntries(Object.values(members)) as unknown as NewOAuthClient;
}
