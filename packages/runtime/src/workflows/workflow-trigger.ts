import { didYouMean, pointer, type Problem, type PropShape, type WorkflowShape } from "@x/model";
import { compileCheck, isRecord, parseTimer, sentence, shownValue, timerJson, type Check } from "@x/components";

/** Names of the props for an HTTP or timer trigger. The names of steps' props have a dot, so they cannot clash. */
const triggerProps = { http: "http", timer: "timer" } as const;

/** A trigger as an interface prop, or as a subscription. */
export interface ParsedTrigger {
  readonly props: readonly PropShape[];
  readonly subscription?: NonNullable<WorkflowShape["trigger"]>;
}

interface EventTrigger {
  readonly emitterId: string;
  readonly eventName?: string;
}

const fields: { readonly [type: string]: readonly string[] } = {
  http: ["type", "customResponse"],
  timer: ["type", "intervalSeconds", "interval_seconds", "cron", "timezone"],
  event: ["type", "emitterId", "eventName"],
};
const longestName = 60;
const types = Object.keys(fields);

const checks: { readonly [type: string]: Check } = {
  http: compileCheck({
    type: "object",
    properties: { customResponse: { type: "boolean", description: "true or false" } },
  }),
  event: compileCheck({
    type: "object",
    required: ["emitterId"],
    properties: {
      emitterId: {
        type: "string",
        minLength: 1,
        description: "the name slug of a source, the id of a source or workflow, or dc_* or p_*",
      },
      eventName: { type: "string", maxLength: 256, description: "a text: $errors, $logs, default or a channel" },
    },
  }),
};

interface TypedTrigger {
  readonly type: string;
  readonly members: readonly string[];
  readonly trigger: { readonly [member: string]: unknown };
}

/** The type of the trigger, or the problem with it. */
function readType(trigger: unknown): TypedTrigger | Problem {
  const type = isRecord(trigger) && Object.hasOwn(trigger, "type") ? trigger["type"] : undefined;
  const known = typeof type === "string" && Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (isRecord(trigger) && typeof type === "string" && known) return { type, members: known, trigger };
  const got = isRecord(trigger) ? `type ${shownValue(type)}` : shownValue(trigger);
  const hint = typeof type === "string" ? didYouMean(type, types) : "";
  const message = `trigger must be an object with type "http", "timer" or "event", got ${got}${hint}`;
  return { path: "/trigger", message };
}

/** The problems of members that have no meaning; `what` is in the message. */
export const unknownMembers = (given: object, members: readonly string[], what: string, path: string): Problem[] =>
  Object.keys(given)
    .filter((name) => !members.includes(name))
    .map((name) => ({
      path: `${path}${pointer(name.slice(0, longestName))}`,
      message: `${what} has no member "${name.slice(0, longestName)}"${didYouMean(name, members)}`,
    }));

function findProblems({ type, members, trigger }: TypedTrigger): Problem[] {
  const found = unknownMembers(trigger, members, `trigger of type "${type}"`, "/trigger");
  for (const problem of checks[type]?.(trigger) ?? []) {
    found.push({ ...sentence(`${problem.path.slice(1)} of the trigger`, problem), path: `/trigger${problem.path}` });
  }
  return found;
}

/** Parses a trigger and adds its problems to `problems`. Without a trigger only subscriptions run the workflow. */
export function parseTrigger(given: unknown, problems: Problem[]): ParsedTrigger {
  const none: ParsedTrigger = { props: [] };
  if (given === undefined || given === null) return none;
  const typed = readType(given);
  if ("message" in typed) {
    problems.push(typed);
    return none;
  }
  const { type, trigger } = typed;
  const found = findProblems(typed);
  const timer = type === "timer" ? parseTimer(trigger) : {};
  if (type === "timer" && !timer.timer) {
    const message = `The timer trigger ${timer.problem ?? "must set intervalSeconds or cron"}`;
    found.push({ path: "/trigger", message });
  }
  problems.push(...found);
  if (found.length > 0) return none;
  if (timer.timer) {
    const schedule = timerJson(timer.timer);
    return { props: [{ name: triggerProps.timer, type: "$.interface.timer", static: schedule }] };
  }
  if (type === "http") {
    const { customResponse = false } = trigger as { customResponse?: boolean };
    return { props: [{ name: triggerProps.http, type: "$.interface.http", customResponse }] };
  }
  const { emitterId, eventName = "" } = trigger as unknown as EventTrigger;
  return { props: [], subscription: { emitterId, eventName } };
}
