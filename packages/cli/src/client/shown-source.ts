import type { Json, NewSource, Source } from "@x/client";

import { columns } from "./output.ts";
import { packageRows } from "../terminal/package-rows.ts";

/** The trigger that a prop value describes, as text; undefined when it is not a trigger. */
function triggerOf(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { endpoint_url: url, cron, interval_seconds: seconds, timezone } = value;
  if (typeof url === "string") return url;
  if (typeof cron === "string") return `cron ${cron}${typeof timezone === "string" ? ` (${timezone})` : ""}`;
  return typeof seconds === "number" ? `every ${seconds} s` : undefined;
}

/** The value of a prop as text; credentials are hidden. */
function valueText(value: Json): string {
  const trigger = triggerOf(value);
  if (trigger !== undefined) return trigger;
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && value["__secret"] === true ? "(secret)" : JSON.stringify(value);
}

const isDb = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && value["type"] === "$.service.db";

const state = ({ active }: Source): string => (active ? "active" : "paused");

/** A source in a list. */
export const sourceRow = (source: Source): string[] => [
  source.name_slug,
  source.id,
  state(source),
  Object.values(source.configured_props)
    .flatMap((value) => triggerOf(value) ?? [])
    .join(", "),
];

const day = (seconds: number): string => new Date(seconds * 1000).toLocaleString("sv-SE");

/** The webhook of a deploy; its key is shown only in this response. */
const webhookRows = (webhook: NewSource["webhook"]): string[][] =>
  webhook
    ? [
        ["  webhook", `${webhook.id} ${webhook.url}`],
        ...(webhook.signing_key === undefined ? [] : [["  signing key", `${webhook.signing_key} (shown once)`]]),
      ]
    : [];

/** The props of a source with their values, without its db. */
export const propRows = ({ configured_props: props }: Source): string[][] =>
  Object.entries(props)
    .filter(([, value]) => !isDb(value))
    .map(([prop, value]) => [prop, valueText(value)]);

/** The details of a source. */
export const sourceLines = (source: Source | NewSource): string[] => [
  `${source.name_slug}  ${source.id}  ${state(source)}`,
  ...columns([
    ["  name", source.name],
    ["  component", source.component_id],
    ["  created", day(source.created_at)],
    ["  updated", day(source.updated_at)],
    ...propRows(source).map(([prop = "", value = ""]) => [`  props.${prop}`, value]),
    ...("webhook" in source ? webhookRows(source.webhook) : []),
    ...packageRows(source.packages).map(([name, text]) => [`  packages.${name}`, text]),
    ...(source.warnings ?? []).map(({ rule, message }) => ["  warning", `${message} (${rule})`]),
  ]),
];
