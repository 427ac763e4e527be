import type { ComponentWarning } from "../../model/model.ts";
import { didYouMean } from "../../model/did-you-mean.ts";
import { isFunction, isRecord, pointer, shownName, shownValue } from "../shown-value.ts";
import { resolveProp, type RawProp } from "./prop-definition.ts";
import { fieldNames } from "./prop-shape.ts";
import { propKind } from "./prop-type.ts";

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

function scheduleWarnings(name: string, field: "default" | "static", value: unknown, warn: Warn): ComponentWarning[] {
  if (!isRecord(value) || isFunction(value)) return [];
  const sets = ["intervalSeconds", "interval_seconds", "cron"].some((each) => (value[each] ?? null) !== null);
  return Object.keys(value)
    .filter((each) => !timerFields.includes(each))
    .map((each) => {
      const effect = sets ? "so nothing reads it" : "so nothing reads it and the timer runs every hour";
      const message = `${shownName(each)} in ${field} of timer "${name}" is not a field of timers, ${effect}${timerHint(each)}`;
      return warn("unknown-timer-field", [field, each], message);
    });
}

const kindsOf: { readonly [field: string]: { readonly of: readonly string[]; readonly are: string } } = {
  min: { of: ["integer", "integer[]"], are: "integers" },
  max: { of: ["integer", "integer[]"], are: "integers" },
  secret: { of: ["string", "string[]"], are: "strings" },
  customResponse: { of: ["$.interface.http"], are: "$.interface.http" },
};

const items: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
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
  boolean: "true or false",
  "boolean[]": "an array of true and false",
  object: "an object",
};

function unknownField(
  name: string,
  field: string,
  isTimer: boolean,
  present: readonly string[],
  warn: Warn,
): ComponentWarning {
  const shown = shownName(field);
  if (isTimer && (timerFields.includes(field) || meantByTimer.some(([pattern]) => pattern.test(field)))) {
    const inside = timerFields.includes(field)
      ? `${shown}: …`
      : `${timerHint(field).replace(/^.*mean |[?)]+$/g, "")}: …`;
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
  const hint = didYouMean(
    field,
    fieldNames.filter((each) => !present.includes(each)),
  );
  return warn(
    "unknown-prop-field",
    [field],
    `${shown} of prop "${name}" is not a field of props, so nothing reads it${hint}`,
  );
}

/** Warns about fields that have no effect, or not the effect that their author seems to expect. */
export function propWarnings(name: string, declared: unknown): ComponentWarning[] {
  const raw: RawProp | undefined = resolveProp(name, declared, []);
  const type = raw?.["type"];
  if (!raw || typeof type !== "string") return [];
  const kind = propKind(type);
  // An app prop contains the whole app object, which may have any members.
  if (kind === "app") return [];
  const shown = shownName(name);
  const warn: Warn = (rule, field, message) => ({ rule, path: pointer("props", name, ...field), message });
  const present = Object.keys(raw);
  const unknown = present.filter(
    (field) => !fieldNames.includes(field) && !tolerated.includes(field) && !field.startsWith("__"),
  );
  const warnings = unknown.map((field) => unknownField(shown, field, kind === "timer", present, warn));
  for (const field of present.filter(
    (each) => fieldNames.includes(each) && each !== "options" && isFunction(raw[each]),
  )) {
    const message = `${field} of prop "${shown}" is a function, which is not called: give a value${field === "default" ? ", or read what is missing in run" : ""}`;
    warnings.push(warn("function-as-value", [field], message));
  }
  for (const [field, { of, are }] of Object.entries(kindsOf)) {
    if ((raw[field] ?? false) === false || of.includes(type) || type === "any") continue;
    warnings.push(
      warn(
        "field-without-effect",
        [field],
        `${field} of prop "${shown}" has no effect: it is for ${are}, and this is ${type}`,
      ),
    );
  }
  if (kind === "timer")
    for (const field of ["default", "static"] as const)
      warnings.push(...scheduleWarnings(shown, field, raw[field], warn));
  const given = raw["default"];
  if (kind === "value" && !isFunction(given) && !defaultFits(type, given)) {
    const message = `default of prop "${shown}" must be ${described[type] ?? type}, got ${shownValue(given)}: the component gets it unchanged`;
    warnings.push(warn("default-of-other-type", ["default"], message));
  }
  return warnings;
}
