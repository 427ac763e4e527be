import { didYouMean, pointer, type ComponentWarning } from "@x/model";
import { isFunction, isRecord, shownName, shownValue } from "../shown-value.ts";
import { resolveProp, type RawProp } from "./prop-definition.ts";
import { fieldNames, isLeftOut } from "./prop-shape.ts";
import { propKind, typesWithAppProp, unavailableType } from "./prop-type.ts";

/** Fields of the format that have no effect here. */
const tolerated: readonly string[] = ["propDefinition", "format", "ref", "accessMode", "sync", "ignore", "placeholder"];
const timerFields: readonly string[] = ["intervalSeconds", "interval_seconds", "cron", "timezone"];

/** Suggestions for fields that timers do not have. */
const meantByTimer: readonly (readonly [RegExp, string])[] = [
  [/^(?:interval|every|seconds|secs?|intervalSecs?|period|frequency)$/i, "intervalSeconds"],
  [/^(?:interval|every)?_?(?:ms|millis|milliseconds|minutes|mins?|hours)$/i, "intervalSeconds, in seconds"],
  [/^(?:tz|zone|time_?zone)$/i, "timezone"],
  [/^(?:schedule|expression|crontab|cron_?expression|at)$/i, "cron"],
];

function timerHint(name: string): string {
  const [, meant] = meantByTimer.find(([pattern]) => pattern.test(name)) ?? [];
  return meant === undefined
    ? didYouMean(name, timerFields.slice(0, 1).concat("cron", "timezone"))
    : ` (did you mean ${meant}?)`;
}

/** Suggestions for fields that props do not have. */
const meantByField: { readonly [field: string]: string } = {
  required: "props are required unless optional: true",
  title: "write label",
  help: "write description",
  enum: "write options",
  choices: "write options",
  values: "write options",
  value: "write default",
  initial: "write default",
};

type Warn = (rule: string, field: readonly string[], message: string) => ComponentWarning;

function* scheduleWarnings(
  name: string,
  field: "default" | "static",
  value: unknown,
  warn: Warn,
): Generator<ComponentWarning> {
  if (!isRecord(value) || isFunction(value)) return;
  const sets = ["intervalSeconds", "interval_seconds", "cron"].some((each) => (value[each] ?? null) !== null);
  const effect = sets ? "so nothing reads it" : "so nothing reads it and the timer runs every hour";
  for (const each of Object.keys(value)) {
    if (timerFields.includes(each)) continue;
    const message = `${shownName(each)} in ${field} of timer "${name}" is not a field of timers, ${effect}${timerHint(each)}`;
    yield warn("unknown-timer-field", [field, each], message);
  }
}

const kindsOf: { readonly [field: string]: { readonly of: readonly string[]; readonly are: string } } = {
  min: { of: ["integer", "integer[]", "number", "number[]"], are: "numbers" },
  max: { of: ["integer", "integer[]", "number", "number[]"], are: "numbers" },
  secret: { of: ["string", "string[]"], are: "strings" },
  customResponse: { of: ["$.interface.http"], are: "$.interface.http" },
  appProp: { of: typesWithAppProp, are: "$.interface.apphook" },
  eventNames: { of: ["$.interface.apphook"], are: "$.interface.apphook" },
};

const items: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === "boolean",
  object: isRecord,
};

/** True when a default has the type of its prop. Accepts label-value forms and placeholders in text. */
function defaultFits(type: string, value: unknown): boolean {
  const fits = items[type.replace(/\[\]$/, "")];
  if (!fits || value === null || value === undefined || (isRecord(value) && Object.hasOwn(value, "__lv"))) return true;
  return type.endsWith("[]") ? Array.isArray(value) && value.every(fits) : fits(value);
}

const described: { readonly [type: string]: string } = {
  string: "a string",
  "string[]": "an array of strings",
  integer: "an integer",
  "integer[]": "an array of integers",
  number: "a number",
  "number[]": "an array of numbers",
  boolean: "true or false",
  "boolean[]": "an array of true and false",
  object: "an object",
};

function unknownField(
  name: string,
  field: string,
  isTimer: boolean,
  unused: readonly string[],
  warn: Warn,
): ComponentWarning {
  const shown = shownName(field);
  if (isTimer && (timerFields.includes(field) || meantByTimer.some(([pattern]) => pattern.test(field)))) {
    const inside = timerFields.includes(field)
      ? `${shown}: …`
      : `${timerHint(field).replace(/^.*mean |(?<![?)])[?)]+$/g, "")}: …`;
    const message = `${shown} of timer "${name}" is not read there: write default: { ${inside} }`;
    return warn("unknown-prop-field", [field], message);
  }
  const meant = Object.hasOwn(meantByField, field) ? meantByField[field] : undefined;
  if (meant !== undefined)
    return warn(
      "unknown-prop-field",
      [field],
      `${shown} of prop "${name}" is not a field of props, so nothing reads it: ${meant}`,
    );
  const hint = didYouMean(field, unused);
  return warn(
    "unknown-prop-field",
    [field],
    `${shown} of prop "${name}" is not a field of props, so nothing reads it${hint}`,
  );
}

function* unknownFields(name: string, raw: RawProp, isTimer: boolean, warn: Warn): Generator<ComponentWarning> {
  const unused = fieldNames.filter((field) => !Object.hasOwn(raw, field));
  for (const field of Object.keys(raw))
    if (!fieldNames.includes(field) && !tolerated.includes(field) && !field.startsWith("__"))
      yield unknownField(name, field, isTimer, unused, warn);
}

function* functions(name: string, raw: RawProp, warn: Warn): Generator<ComponentWarning> {
  for (const field of Object.keys(raw)) {
    if (!fieldNames.includes(field) || field === "options" || field === "eventNames" || !isFunction(raw[field]))
      continue;
    const message = `${field} of prop "${name}" is a function, which is not called: give a value${field === "default" ? ", or read what is missing in run" : ""}`;
    yield warn("function-as-value", [field], message);
  }
}

function* withoutEffect(name: string, type: string, raw: RawProp, warn: Warn): Generator<ComponentWarning> {
  for (const [field, { of, are }] of Object.entries(kindsOf)) {
    if ((raw[field] ?? false) === false || of.includes(type) || type === "any") continue;
    const message = `${field} of prop "${name}" has no effect: it is for ${are}, and this is ${type}`;
    yield warn("field-without-effect", [field], message);
  }
}

function* appHookWarnings(name: string, raw: RawProp, warn: Warn): Generator<ComponentWarning> {
  const { eventNames, static: fixed } = raw;
  const isEmpty =
    eventNames === undefined || eventNames === null || (Array.isArray(eventNames) && eventNames.length === 0);
  if ((fixed ?? undefined) !== undefined) {
    if (!isEmpty)
      yield warn("field-without-effect", ["eventNames"], `eventNames of prop "${name}" has no effect: static is fixed`);
  } else if (isEmpty) {
    const message = `Prop "${name}" names no events, so it gets every event of its account: write static: [] where that is meant`;
    yield warn("every-app-event", [], message);
  }
}

/** Warns about fields that have no effect, or not the effect that their author seems to expect. */
export function* propWarnings(name: string, declared: unknown): Generator<ComponentWarning> {
  const raw: RawProp | undefined = resolveProp(name, declared, []);
  const type = raw?.["type"];
  if (!raw || typeof type !== "string") return;
  const kind = propKind(type);
  // An app prop contains the whole app object, which may have any members.
  if (kind === "app") return;
  const shown = shownName(name);
  const warn: Warn = (rule, field, message) => ({ rule, path: pointer("props", name, ...field), message });
  if (isLeftOut(raw)) {
    const message = `Optional prop "${shown}" is left out, and this.${shown} is undefined: type "${type}" ${unavailableType(type) ?? ""}`;
    yield warn("prop-left-out", ["type"], message);
    return;
  }
  if (kind === "dir" && Object.hasOwn(raw, "sync") && !isFunction(raw["sync"]))
    yield warn(
      "dir-not-synced",
      ["sync"],
      `sync of prop "${shown}" has no effect: files in /tmp live as long as the run`,
    );
  yield* unknownFields(shown, raw, kind === "timer", warn);
  yield* functions(shown, raw, warn);
  yield* withoutEffect(shown, type, raw, warn);
  if (kind === "timer")
    for (const field of ["default", "static"] as const) yield* scheduleWarnings(shown, field, raw[field], warn);
  if (kind === "apphook") yield* appHookWarnings(shown, raw, warn);
  const given = raw["default"];
  if (kind === "value" && !isFunction(given) && !defaultFits(type, given)) {
    const message = `default of prop "${shown}" must be ${described[type] ?? type}, got ${shownValue(given)}: the component gets it unchanged`;
    yield warn("default-of-other-type", ["default"], message);
  }
}
