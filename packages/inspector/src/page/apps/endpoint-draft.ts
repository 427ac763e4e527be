import type { AppEndpoint, PartsOf } from "@x/client";

import { textOf } from "../props-form/prop-shape.ts";

/** Services whose requests the runtime can read. */
export const services = ["dropbox", "github", "shopify", "slack", "strava", "zoom", "zoom_admin"] as const;

/** How requests can prove who sent them. */
export const schemes = [
  "github",
  "slack",
  "stripe",
  "shopify",
  "zoom",
  "twilio",
  "discord",
  "hubspot",
  "linear",
  "notion",
  "typeform",
  "calendly",
  "intercom",
  "mailgun",
  "sendgrid",
  "square",
  "trello",
  "dropbox",
  "meta",
  "standard",
  "svix",
  "strava",
  "gitlab",
  "hmac",
  "token",
  "basic",
  "none",
] as const;

/** Parameters of schemes, and what they are. */
export const parameterWords: Readonly<Record<string, string>> = {
  header: "Of the signature or token",
  prefix: "Such as sha256=",
  query: "Parameter, instead of a header",
  algorithm: "sha256, sha1 or sha512",
  encoding: "hex or base64",
  signed: "Such as {t}.{body}",
  timestamp: "Header of the time",
  unit: "Of the time: s or ms",
  tolerance: "Of the time, in seconds",
  item: "Its name in t=1,v1=…",
  challenge: "Query parameter, or hub",
  verify_token: "Not shown: type it again",
};

const parameters: Readonly<Record<string, readonly string[]>> = {
  hmac: Object.keys(parameterWords).filter((name) => name !== "query"),
  token: ["header", "query", "challenge", "verify_token"],
  basic: ["challenge", "verify_token"],
  meta: ["verify_token"],
};

/** Instead of a service: a module reads the requests. */
export const byCode = "code";

/** What becomes of the secrets that are stored. */
export type SecretUse = "keep" | "replace" | "add";

/** The fields of the form of an endpoint. */
export interface EndpointDraft {
  readonly app: string;
  /** Empty: that of the app's slug. */
  readonly service: string;
  /** Empty: that of the service. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly secretUse: SecretUse;
  readonly secret: string;
  readonly code: string;
  readonly allUsers: boolean;
}

/** The fields at first: empty, or those of an endpoint. */
export function draftOf(app: string, endpoint: AppEndpoint | undefined, secretUse: SecretUse): EndpointDraft {
  const isRead = endpoint?.service === null;
  return {
    app,
    service: isRead ? byCode : (endpoint?.service ?? ""),
    scheme: endpoint?.scheme ?? "",
    parameters: Object.fromEntries(
      Object.entries(endpoint?.parameters ?? {}).map(([name, value]) => [name, textOf(value)]),
    ),
    secretUse: endpoint?.secrets ? secretUse : "replace",
    secret: "",
    code: "",
    allUsers: endpoint?.all_users ?? false,
  };
}

/** The parameters that a scheme takes, and those that are set. */
export function parametersOf({ scheme, parameters: set }: EndpointDraft): readonly string[] {
  return [...new Set([...(parameters[scheme] ?? []), ...Object.keys(set)])];
}

type Body = NonNullable<PartsOf<"PUT /apps/{app}/endpoint">["body"]>;

const kept = { __secret: true };

function secretOf({ secretUse, secret }: EndpointDraft): Body["secret"] {
  const given = secret.trim();
  if (secretUse === "keep") return kept;
  if (secretUse === "add") return [given, kept];
  return given === "" ? undefined : given;
}

/** What is sent: all of the endpoint, because it is replaced as a whole. */
export function bodyOf(draft: EndpointDraft): Body {
  const { service, scheme, code, allUsers } = draft;
  const given = Object.entries(draft.parameters).filter(([, value]) => value !== "");
  const set = given.map(([name, value]) => [name, name === "tolerance" ? Number(value) : value]);
  const secret = secretOf(draft);
  return {
    ...(Object.fromEntries(set) as Body),
    ...(service !== "" && service !== byCode && { service }),
    ...(scheme !== "" && { scheme }),
    ...(code.trim() !== "" && { code }),
    ...(secret !== undefined && { secret }),
    ...(allUsers && { all_users: true }),
  };
}
