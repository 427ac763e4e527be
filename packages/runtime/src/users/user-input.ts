import type { NewUser } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { BillingPeriod, User } from "../model/model.ts";

const username = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const usernameRule = "1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit, and not me";
const email = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;
/** The end of the year 9999: later days have no name of the usual form. */
const latestMs = 253_402_300_799_999;
const periodRule = "a start and a later end in epoch milliseconds";

function invalid(name: string, expected: string, given: unknown): XError {
  const received = (JSON.stringify(given) ?? "nothing").slice(0, 100);
  return new XError("invalid_parameter", [name, expected, received], { details: { parameter: name, received } });
}

/** A regular expression alone takes what only reads like such a text, as the number 123 does. */
const matches = (rule: RegExp, value: unknown): boolean => typeof value === "string" && rule.test(value);

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latestMs;

function validateBilling({ periodStart, periodEnd }: BillingPeriod): BillingPeriod {
  if (isTime(periodStart) && isTime(periodEnd) && periodStart < periodEnd) return { periodStart, periodEnd };
  throw invalid("billing", periodRule, { periodStart, periodEnd });
}

/** What a new user is called and billed for; throws `invalid_parameter`. The address defaults to one that leads nowhere. */
export function validateNewUser(input: NewUser): Pick<User, "username" | "email" | "billing"> {
  // In paths, "me" is whoever asks.
  if (!matches(username, input.username) || input.username === "me")
    throw invalid("username", usernameRule, input.username);
  const address = input.email ?? `${input.username}@localhost`;
  if (!matches(email, address)) throw invalid("email", "an email address", address);
  return {
    username: input.username,
    email: address,
    ...(input.billing && { billing: validateBilling(input.billing) }),
  };
}
