import type * as Rest from "@x/client";
import type { Component, SourceActivity, SourceView } from "@x/runtime";

import { viewExecutionSummary } from "./executions.ts";
import { record, type Schema, schemaRef, seconds, text, whole } from "./shapes.ts";
import { viewBy } from "./view.ts";

const props: Schema = {
  type: "object",
  description:
    "Values by prop name. A timer shows `{cron, interval_seconds}`, an HTTP interface `{endpoint_url}`, a secret `{__secret: true}`.",
};

/** The npm packages of a component. */
export const packages: Schema = {
  type: "array",
  description: "The exact npm packages in its bundle, with their dependencies; absent when there are none.",
  items: record(
    {
      name: text("Its name in the registry."),
      version: text("The exact version, which stays over later updates."),
      integrity: {
        type: ["string", "null"],
        description:
          "Integrity of its archive; null for a package inside another one, and for one of the author's own folder.",
      },
      requested: text("How the code names it; absent for what only packages need."),
      from: {
        enum: ["import", "package.json", "latest", "node_modules"],
        description: "The reason for the version of a package that the code imports.",
      },
      range: text("The version, range or tag that was asked for; absent when nothing was."),
      manifest: text("Path of the package.json that has the range, relative to the component's root."),
    },
    ["requested", "from", "range", "manifest"],
  ),
};

const componentWarning: Schema = record(
  {
    rule: text("Name of the rule."),
    path: text("JSON pointer into the component."),
    message: text("What it is, and what to write."),
    file: text("The author's file, where it is known."),
    line: { type: "integer" },
    column: { type: "integer" },
    stored: {
      description:
        "Of `stored-value-kept`, after an update: the value that the source keeps; a secret is `{__secret: true}`.",
    },
    default: {
      description: "Of `stored-value-kept`: the default of the new version, which null in place of a value takes.",
    },
  },
  ["file", "line", "column", "stored", "default"],
);

const eventSchema: Schema = {
  type: "object",
  description: "JSON Schema, draft 7; `{}` when nothing is known.",
};
const schemaFrom = (text: string, values: readonly string[]): Schema => ({
  type: "string",
  enum: values,
  description: `\`emits\`: the component declares it; \`sampleEmit\`: inferred from its example${text}.`,
});

/** What the events of a component look like. */
export const emits: Schema = {
  ...record({ schema: eventSchema, from: schemaFrom("", ["emits", "sampleEmit"]) }),
  description: "What its events look like; absent when it declares neither `emits` nor `sampleEmit`.",
};

/** Warnings about a component. */
export const warnings: Schema = {
  type: "array",
  description: "Declarations that have no effect, or not the expected one; absent when there are none.",
  items: schemaRef("ComponentWarning"),
};

const source = {
  id: text("Starts with `dc_`."),
  component_id: text("The saved component it was made from."),
  configured_props: props,
  active: { type: "boolean", description: "Whether timers and endpoints run it." },
  created_at: seconds,
  updated_at: seconds,
  name: text("Its name."),
  name_slug: text("Its name as a slug, unique in the account."),
  packages,
  warnings,
};

const perHour = (what: string): Schema => ({
  type: "array",
  items: { type: "integer" },
  minItems: 24,
  maxItems: 24,
  description: `${what} of each of the last 24 hours (UTC), oldest first; the last hour is not over.`,
});

const sourceState: Schema = {
  ...record({
    next_tick_at_ms: { type: ["integer", "null"], description: "Epoch milliseconds; null without a timer, or paused." },
    next_ticks_at_ms: {
      type: "array",
      items: { type: "integer" },
      maxItems: 5,
      description: "The next five ticks, epoch milliseconds.",
    },
    queue_depth: whole("Triggers that wait for their run."),
    endpoint_changed: {
      type: "boolean",
      description: "Whether its endpoints have another base URL than when `activate` last ended.",
    },
    failures_24h: whole("The sum of `failures_per_hour`."),
    events_per_hour: perHour("Stored events"),
    failures_per_hour: perHour("Records of `$errors`"),
    last_execution: {
      oneOf: [schemaRef("ExecutionSummary"), { type: "null" }],
      description: "Its newest execution, hooks included; null when none is stored.",
    },
  }),
  description: "With `expand=state`: what it does now, and did in the last day.",
};

const sourceWebhook = {
  ...record(
    { id: text("Starts with `wh_`."), url: text("Gets what the source emits."), signing_key: text("When it is new.") },
    ["signing_key"],
  ),
  description: "Present after a deploy with `webhook_url`.",
};

const sourceChange: Schema = {
  enum: ["created", "updated", "unchanged"],
  description: "Present after a deploy with `if_exists: update`.",
};

const sourceExample = {
  id: "dc_h7Tq2Wn4Zx",
  component_id: "sc_4mPz81KcYd",
  configured_props: { feed: "https://news.example/rss", timer: { cron: null, interval_seconds: 300 } },
  active: true,
  created_at: 1_795_200_060,
  updated_at: 1_795_200_060,
  name: "Press releases",
  name_slug: "press-releases",
};

const sourceDifference: Schema = record(
  {
    field: text("`component`, `name`, `active`, `settings`, `props.<name>`, or `webhook`."),
    from: { description: "As it is: for `component` its version. Absent when there is none." },
    to: { description: "As it would be; a secret is `{__secret: true}`." },
  },
  ["from", "to"],
);

const differences: Schema = { type: "array", items: schemaRef("SourceDifference") };

const keptWarnings: Schema = {
  ...warnings,
  description:
    "Defaults of a new version that the source would not take (`stored-value-kept`); absent when there are none.",
};

const differencesExample = [{ field: "props.feed", from: "https://news.example/rss", to: "https://news.example/atom" }];

/** Schemas of sources, by name. */
export const sourceSchemas: Readonly<
  Record<
    | "EventSchema"
    | "ComponentWarning"
    | "Source"
    | "NewSource"
    | "SourceDifference"
    | "Comparison"
    | "DeployComparison",
    Schema
  >
> = {
  EventSchema: {
    ...record({
      schema: eventSchema,
      from: schemaFrom("; `events`: from stored events", ["emits", "sampleEmit", "events"]),
      events: whole("How many stored events it is inferred from."),
    }),
    examples: [
      {
        schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
        from: "events",
        events: 12,
      },
    ],
  },
  ComponentWarning: {
    ...componentWarning,
    examples: [
      {
        rule: "stored-value-kept",
        path: "/props/feed",
        message:
          'Prop "feed" keeps its stored value "https://news.example/rss", not the new default "https://news.example/atom": set feed to null to take the default (--props feed=null)',
        stored: "https://news.example/rss",
        default: "https://news.example/atom",
      },
    ],
  },
  Source: {
    ...record({ ...source, state: sourceState }, ["packages", "warnings", "state"]),
    examples: [sourceExample],
  },
  NewSource: {
    ...record({ ...source, user_id: text("Its owner."), webhook: sourceWebhook, change: sourceChange }, [
      "packages",
      "warnings",
      "webhook",
      "change",
    ]),
    examples: [{ ...sourceExample, user_id: "u_c3R8vQ1mXa" }],
  },
  SourceDifference: { ...sourceDifference, examples: differencesExample },
  Comparison: {
    ...record({ changes: differences, warnings: keptWarnings }, ["warnings"]),
    examples: [{ changes: differencesExample }],
  },
  DeployComparison: {
    ...record(
      {
        change: sourceChange,
        id: { type: ["string", "null"], description: "The source with the name; null when it would be created." },
        name_slug: text("Its name in URLs."),
        changes: differences,
        warnings: keptWarnings,
      },
      ["warnings"],
    ),
    examples: [
      { change: "updated", id: sourceExample.id, name_slug: sourceExample.name_slug, changes: differencesExample },
    ],
  },
};

/** The installed npm packages; absent when there are none. */
export const viewPackages = ({ packages: installed }: Component): Pick<Rest.Source, "packages"> =>
  installed === undefined ? {} : { packages: installed };

/** Warnings about the component; absent when there are none. */
export const viewWarnings = ({ shape }: Component): Pick<Rest.Source, "warnings"> =>
  shape.warnings === undefined ? {} : { warnings: shape.warnings };

const sourceView = viewBy<Rest.Source, "configured_props" | "packages" | "warnings" | "state">(sourceSchemas.Source);

export const viewSource = ({ source, component, configuredProps }: SourceView): Rest.Source =>
  sourceView(source, { configured_props: configuredProps, ...viewPackages(component), ...viewWarnings(component) });

/** What a source or workflow does now, and did in the last day. */
export const viewActivity = (
  { nextTicksAt, queueDepth, eventsPerHour, failuresPerHour, lastExecution }: SourceActivity,
  { endpointChanged }: SourceView,
): NonNullable<Rest.Source["state"]> => ({
  next_tick_at_ms: nextTicksAt[0] ?? null,
  next_ticks_at_ms: nextTicksAt,
  queue_depth: queueDepth,
  endpoint_changed: endpointChanged,
  failures_24h: failuresPerHour.reduce((sum, count) => sum + count, 0),
  events_per_hour: eventsPerHour,
  failures_per_hour: failuresPerHour,
  last_execution: lastExecution ? viewExecutionSummary(lastExecution) : null,
});

const webhookView = viewBy<NonNullable<Rest.NewSource["webhook"]>>(sourceWebhook);

/** A new source; only this answer has the owner. */
export const viewNewSource = (view: SourceView): Rest.NewSource => ({
  ...viewSource(view),
  user_id: view.source.userId,
  ...(view.webhook && { webhook: webhookView(view.webhook) }),
  ...(view.change && { change: view.change }),
});
