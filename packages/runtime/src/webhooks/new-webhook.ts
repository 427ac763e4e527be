import { XError } from "../model/errors.ts";
import { newSigningKey } from "./webhook.ts";
import { hasLongHost } from "../network/host-length.ts";
import { newId } from "../process/ids.ts";
import type { Webhook } from "../model/listener-model.ts";

/** The rule that forbids this URL as it is written. */
export type Forbidden = (url: string) => string | undefined;

/** Throws unless the URL has a protocol that is http or https, and a host that may be reached (R107). */
export function checkUrl(url: string, forbidden: Forbidden, parameter = "url"): void {
  // The parser would repair a missing slash and leave out white space.
  if (!/^https?:\/\/[^/?#]/i.test(url) || /[\s\p{Cc}]/u.test(url) || hasLongHost(url) || !URL.canParse(url)) {
    const got = JSON.stringify(url.slice(0, 100));
    throw new XError("invalid_parameter", [parameter, "an absolute http or https URL", got], {
      details: { parameter, received: url.slice(0, 100) },
    });
  }
  const rule = forbidden(url);
  if (rule !== undefined) {
    const host = new URL(url).hostname;
    throw new XError("address_forbidden", [host, rule], { details: { parameter, host } });
  }
}

/** A webhook that nobody has seen yet. */
export const newWebhook = (
  given: Pick<Webhook, "userId" | "url" | "name" | "description" | "format">,
  now: number,
): Webhook => ({
  id: newId("wh"),
  ...given,
  active: true,
  signingKey: newSigningKey(),
  previousKeys: [],
  skipped: 0,
  createdAt: now,
  updatedAt: now,
});
