import type { Json } from "@x/runtime";

import type { ShownSource } from "./emitters.ts";
import { columns } from "./output.ts";
import { packageRows } from "../terminal/package-rows.ts";

/** What starts a source by this prop, if anything does. */
function triggerOf(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { endpoint_url: url, cron, interval_seconds: seconds, timezone } = value;
  if (typeof url === "string") return url;
  if (typeof cron === "string") return `cron ${cron}${typeof timezone === "string" ? ` (${timezone})` : ""}`;
  return typeof seconds === "number" ? `every ${seconds} s` : undefined;
}

/** Credentials are never shown, and a db is what x db shows. */
function valueText(value: Json): string {
  const trigger = triggerOf(value);
  if (trigger !== undefined) return trigger;
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && value["__secret"] === true ? "(secret)" : JSON.stringify(value);
}

const isDb = (value: Json): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && value["type"] === "$.service.db";

const state = ({ active }: ShownSource): string => (active ? "active" : "paused");

/** A source in a list. */
export const sourceRow = (source: ShownSource): string[] => [
  source.name_slug,
  source.id,
  state(source),
  Object.values(source.configured_props)
    .flatMap((value) => triggerOf(value) ?? [])
    .join(", "),
];

const day = (seconds: number): string => new Date(seconds * 1000).toLocaleString("sv-SE");

/** The webhook that a deploy made or found; its key is shown this once. */
const webhookRows = (webhook: ShownSource["webhook"]): string[][] =>
  webhook
    ? [
        ["  webhook", `${webhook.id} ${webhook.url}`],
        ...(webhook.signing_key === undefined ? [] : [["  signing key", `${webhook.signing_key} (shown once)`]]),
      ]
    : [];

/** A source by itself. */
export const sourceLines = (source: ShownSource): string[] => [
  `${source.name_slug}  ${source.id}  ${state(source)}`,
  ...columns([
    ["  name", source.name],
    ["  component", source.component_id],
    ["  created", day(source.created_at)],
    ["  updated", day(source.updated_at)],
    ...Object.entries(source.configured_props)
      .filter(([, value]) => !isDb(value))
      .map(([prop, value]) => [`  props.${prop}`, valueText(value)]),
    ...webhookRows(source.webhook),
    ...packageRows(source.packages).map(([name, text]) => [`  packages.${name}`, text]),
  ]),
];
