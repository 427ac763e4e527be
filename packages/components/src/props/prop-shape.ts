import { pointer, type Json, type Problem, type PropShape } from "@x/model";
import { propBounds } from "../bounds.ts";
import { resolveProp, type RawProp } from "./prop-definition.ts";
import { dataStoreNameRule, isDataStoreName } from "./data-store-name.ts";
import { plainValue } from "./label-value.ts";
import { optionValue } from "./prop-schema.ts";
import { propKind, propTypeProblem, typesWithAppProp, unavailableType } from "./prop-type.ts";
import { compileCheck, type ObjectSchema, sentence } from "./schema-check.ts";
import { isFunction, isRecord, shownValue } from "../shown-value.ts";
import { appHookProblems, withEventNames } from "./app-hook.ts";
import { parseTimer, type ParsedTimer } from "./timer-value.ts";

const aString = { type: "string", description: "a string" };
const aBoolean = { type: "boolean", description: "true or false" };
const aNumber = { type: "number", description: "a number" };
const anything = {};

/** The fields of a prop that its shape keeps, in the order of responses. Authors may add others, which are left out. */
const fields: NonNullable<ObjectSchema["properties"]> = {
  type: { type: "string", description: "the name of a type" },
  label: aString,
  description: aString,
  optional: aBoolean,
  default: anything,
  static: anything,
  options: { type: "array", description: "an array or a function" },
  min: aNumber,
  max: aNumber,
  secret: aBoolean,
  customResponse: aBoolean,
  app: { type: "string", minLength: 1, description: "the slug of an app" },
  remoteOptions: aBoolean,
  reloadProps: aBoolean,
  withLabel: aBoolean,
  useQuery: aBoolean,
  hidden: aBoolean,
  disabled: aBoolean,
  appProp: aString,
  eventNames: { type: "array", description: "an array of names or a function" },
  remote: aBoolean,
  alertType: aString,
  content: aString,
};

/** Fields of these types alone: an app's own object may have members of these names. */
const fieldsOfTypes: { readonly [field: string]: readonly string[] } = {
  appProp: typesWithAppProp,
  eventNames: ["$.interface.apphook"],
  remote: ["$.interface.apphook"],
};

/** Names of the fields that a shape keeps. */
export const fieldNames: readonly string[] = Object.keys(fields);

const check = compileCheck({ type: "object", properties: fields, required: ["type"] });

/** Returns the shape of a declared prop, or undefined after adding its problems to `problems` (R041-R051, R067). */
export function propShape(name: string, declared: unknown, problems: Problem[]): PropShape | undefined {
  const path = pointer("props", name);
  if (name === "__proto__") {
    problems.push({ path, message: `A prop cannot have the name "__proto__"` });
    return undefined;
  }
  const raw = resolveProp(name, declared, problems);
  if (!raw) return undefined;
  const kept = keptFields(raw);
  // Its warning says that it is left out.
  if (isLeftOut(kept)) return undefined;
  const wrongFields = check(kept).map((problem) => sentence(`${problem.path.slice(1)} of prop "${name}"`, problem));
  const prop = withEventNames({ name, ...kept } as PropShape);
  const wrong = [...wrongFields, ...propBounds(prop)];
  const found = wrong.length > 0 ? wrong : ruleProblems(prop);
  problems.push(...found.map((problem) => ({ ...problem, path: path + problem.path })));
  return found.length === 0 ? prop : undefined;
}

/** True for an optional prop of a type that this runtime does not have. */
export const isLeftOut = ({ type, optional }: { readonly [field: string]: unknown }): boolean =>
  typeof type === "string" && optional === true && unavailableType(type) !== undefined;

/** Replaces functions by flags or removes them: code outside the sandbox cannot call them. */
function keptFields(raw: RawProp): { [field: string]: Json } {
  const kept = new Map<string, Json>();
  for (const field of Object.keys(fields)) {
    const value = Object.hasOwn(raw, field) ? (raw[field] as Json | undefined) : undefined;
    if (value === undefined || value === null) continue;
    if (fieldsOfTypes[field]?.includes(String(raw["type"])) === false) continue;
    // A function as type, as in { type: String }, is kept so that the error can describe it.
    if (!isFunction(value) || field === "type") kept.set(field, value);
    else if (field === "options") kept.set("remoteOptions", true);
    else if (field === "eventNames") kept.set("remote", true);
  }
  return Object.fromEntries(kept);
}

/** A data store has a name, wherever it comes from. */
function dataStoreProblems({ name, default: initial, static: fixed, options = [] }: PropShape): Problem[] {
  const given = [
    ...(initial === undefined ? [] : [["/default", initial] as const]),
    ...(fixed === undefined ? [] : [["/static", fixed] as const]),
    ...options.map((option, index) => [`/options/${index}`, optionValue(option)] as const),
  ];
  const wrong = given.filter(([, value]) => !isDataStoreName(plainValue(value)));
  return wrong.map(([path, value]) => ({
    path,
    message: `${path.slice(1)} of prop "${name}" must be ${dataStoreNameRule}, got ${shownValue(value)}`,
  }));
}

function ruleProblems({ name, type, ...prop }: PropShape): Problem[] {
  const problems: Problem[] = [];
  const typeProblem = propTypeProblem(type);
  if (typeProblem !== undefined) return [{ path: "/type", message: `Prop "${name}": ${typeProblem}` }];
  const kind = propKind(type);
  if (kind === "app" && prop.app === undefined) {
    problems.push({ path: "/app", message: `app of prop "${name}" is missing; expected the slug of an app` });
  }
  if (kind === "apphook") problems.push(...appHookProblems({ name, type, ...prop }));
  if (type === "data_store") problems.push(...dataStoreProblems({ name, type, ...prop }));
  if (kind === "timer") {
    for (const field of ["default", "static"] as const) {
      const parsed: ParsedTimer = prop[field] === undefined ? {} : parseTimer(prop[field]);
      if (parsed.problem !== undefined) {
        problems.push({ path: `/${field}`, message: `${field} of timer prop "${name}" ${parsed.problem}` });
      }
    }
  }
  const options = prop.options ?? [];
  for (const [index, option] of options.entries()) {
    const usable = isRecord(option)
      ? Object.hasOwn(option, "value") || Object.hasOwn(option, "label")
      : !Array.isArray(option) && option !== null;
    if (!usable || isFunction(option)) {
      const message = `Option ${index} of prop "${name}" must be a value or {label, value}, got ${shownValue(option)}`;
      problems.push({ path: `/options/${index}`, message });
    }
  }
  return problems;
}
