import { secretsOf } from "../accounts.ts";
import { counted, shown } from "../shown.ts";
import type { SourceUnderTest } from "../under-test.ts";
import type { Check, CheckContext } from "./context.ts";

async function stimulated(context: CheckContext, times = 1): Promise<SourceUnderTest> {
  const feed = await context.open();
  for (let time = 0; time < times; time++) await context.stimulus.apply(feed);
  return feed;
}

const shownWhole = (value: unknown): string => shown(value, Infinity);

/** The problem when no event was emitted: the first error, if there is one, explains it. */
function emitsNothing({ errors }: SourceUnderTest): string {
  const nothing = "it has emitted nothing here";
  const [first] = errors;
  if (!first) return `${nothing}: give it routes, requests or events that make it emit`;
  return `${nothing}: ${first.entry} failed with ${first.name}: ${first.message}`;
}

export const emitChecks: readonly Check[] = [
  {
    title: "events have values",
    async find(context) {
      const feed = await stimulated(context);
      const empty = feed.emits.filter(({ event }) => event === null);
      return empty.length === 0
        ? undefined
        : `${counted(empty.length, "event")} of ${feed.emits.length} had no value: $emit(undefined) is stored as null`;
    },
  },
  {
    title: "events of a run have different ids",
    skip: ({ shape }) => (shape.dedupe === undefined ? "the component has no dedupe" : undefined),
    async find(context) {
      const feed = await stimulated(context);
      if (feed.emits.length === 0) return emitsNothing(feed);
      const repeated = feed.deduped.filter(({ reason }) => reason === "repeated_in_run");
      const [first] = repeated;
      return first && `${counted(repeated.length, "event")} of one run repeated an id: ${first.because}`;
    },
  },
  {
    title: "the same upstream answers emit no event twice",
    skip: ({ shape, stimulus }) =>
      shape.dedupe === undefined && !stimulus.hasTimer ? "the component has neither dedupe nor a timer" : undefined,
    async find(context) {
      const feed = await stimulated(context);
      const before = feed.emits;
      const isPoll = context.shape.dedupe !== undefined || feed.calls.length > 0;
      if (!isPoll) return undefined;
      if (before.length === 0 && context.shape.dedupe !== undefined) return emitsNothing(feed);
      await context.stimulus.apply(feed);
      const known = new Map(before.map(({ event, id }) => [JSON.stringify(event), id]));
      const again = feed.emits.slice(before.length).filter(({ event }) => known.has(JSON.stringify(event)));
      const [first] = again;
      if (!first) return undefined;
      const why =
        context.shape.dedupe === undefined
          ? "declare dedupe, or keep a cursor in $.service.db"
          : `its id was ${shown(known.get(JSON.stringify(first.event)))}, then ${shown(first.id)}; the same event needs the same id`;
      return `${counted(again.length, "event")} came twice, such as ${shown(first.event)}: ${why}`;
    },
  },
  {
    title: "one run has no more ids than dedupe stores",
    skip: ({ shape }) => (shape.dedupe === "unique" ? undefined : "only dedupe unique stores many ids"),
    async find(context) {
      const feed = await stimulated(context);
      return feed.logs.find(({ message }) => message.startsWith("dedupe_window_exceeded"))?.message;
    },
  },
  {
    title: "secrets stay out of events",
    skip: (context) =>
      secretsOf(context.shape, context.options).length === 0 ? "the test gives no secrets" : undefined,
    async find(context) {
      const feed = await stimulated(context);
      const secrets = secretsOf(context.shape, context.options);
      const holds = (value: unknown): boolean => secrets.some((secret) => shownWhole(value).includes(secret));
      const leak = feed.emits.find(holds);
      if (!leak) return undefined;
      const [field] = Object.entries(Object(leak.event) as object).find(([, value]) => holds(value)) ?? [];
      const where = field === undefined ? "" : ` in its field ${field}`;
      return `an event holds the value of a secret${where}`;
    },
  },
  {
    title: "the runtime logs no warnings",
    async find(context) {
      const feed = await stimulated(context, 2);
      const warnings =
        /^\$emit: (ts |an event does not fit)|work was not awaited|respond was called again|log records of this run/;
      return feed.logs.find(({ level, message }) => level === "warn" && warnings.test(message))?.message;
    },
  },
];
