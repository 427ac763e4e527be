import { didYouMean, pointer, type ComponentWarning, type HookName } from "@x/model";
import { emitsTicks } from "./description.ts";
import { propWarnings } from "./props/prop-warnings.ts";
import { isFunction, isRecord, shownName } from "./shown-value.ts";

const hookNames: readonly HookName[] = ["deploy", "activate", "deactivate"];
/** Members that the runtime or a registry reads. */
const members: readonly string[] = [
  "name",
  "version",
  "key",
  "description",
  "type",
  "props",
  "methods",
  "hooks",
  "dedupe",
  "run",
  "additionalProps",
  "sampleEmit",
  "emits",
  "transactional",
  "exactIntegers",
  "annotations",
];
/** Misplaced members, by the object that the author put them in. */
const meant: { readonly [name: string]: string } = {
  hook: "hooks",
  prop: "props",
  method: "methods",
  events: "emits",
  dedup: "dedupe",
  deduplicate: "dedupe",
};

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

const recordOf = (described: { readonly [member: string]: unknown }, name: string): object => {
  const value = Object.hasOwn(described, name) ? described[name] : undefined;
  return isRecord(value) && !isFunction(value) ? value : {};
};

/** Reports an unknown member only when its name is close to a known one, or when it is a function, which nothing can call. */
function memberWarning(name: string, value: unknown, present: ReadonlySet<string>): ComponentWarning | undefined {
  const path = pointer(name);
  const shown = shownName(name);
  if (hookNames.some((hook) => hook === name) && isFunction(value)) {
    const message = `${shown} outside of hooks is never called: write hooks: { ${shown}() { … } }`;
    return { rule: "outside-of-hooks", path, message };
  }
  const hint =
    Object.hasOwn(meant, name) && !present.has(meant[name] ?? "")
      ? ` (did you mean "${meant[name]}"?)`
      : didYouMean(
          name,
          members.filter((each) => !present.has(each)),
        );
  if (hint !== "")
    return { rule: "unknown-member", path, message: `${shown} is no member of components, so nothing reads it${hint}` };
  if (!isFunction(value)) return undefined;
  const message = `${shown} is a function outside of methods, so there is no this.${shown}: move it into methods: { … }`;
  return { rule: "outside-of-methods", path, message };
}

function* hookWarnings(hooks: object): Generator<ComponentWarning> {
  for (const name of Object.keys(hooks)) {
    if (hookNames.some((hook) => hook === name)) continue;
    const hint = didYouMean(name, hookNames);
    const message = `hooks.${shownName(name)} is never called: the hooks are ${listed(hookNames)}${hint}`;
    yield { rule: "unknown-hook", path: pointer("hooks", name), message };
  }
}

/** A prop overrides a method of the same name. */
function* nameWarnings(props: object, methods: object): Generator<ComponentWarning> {
  for (const name of Object.keys(methods)) {
    if (!Object.hasOwn(props, name)) continue;
    const message = `Method "${shownName(name)}" has the name of a prop, which hides it: this.${shownName(name)} is the prop; rename one of them`;
    yield { rule: "method-hidden", path: pointer("methods", name), message };
  }
}

/** Further members are not compared with the known ones. */
const maxMembers = 1_000;

function* memberWarnings(described: { readonly [member: string]: unknown }): Generator<ComponentWarning> {
  const present = new Set(Object.keys(described));
  const unknown = [...present].filter((name) => !members.includes(name)).slice(0, maxMembers);
  for (const name of unknown) {
    const warning = memberWarning(name, described[name], present);
    if (warning) yield warning;
  }
}

function* allWarnings(described: { readonly [member: string]: unknown }): Generator<ComponentWarning> {
  yield* memberWarnings(described);
  if (emitsTicks(described)) {
    const message = "The component has no run: it emits each tick of its timer";
    yield { rule: "ticks-emitted", path: "", message };
  }
  const props = recordOf(described, "props");
  for (const [name, prop] of Object.entries(props)) yield* propWarnings(name, prop);
  yield* hookWarnings(recordOf(described, "hooks"));
  yield* nameWarnings(props, recordOf(described, "methods"));
}

const maxWarnings = 50;

/** Warnings about declarations that nothing reads, or that mean something else than they seem to. They refuse nothing. */
export function componentWarnings(described: unknown): ComponentWarning[] {
  const warnings: ComponentWarning[] = [];
  if (!isRecord(described)) return warnings;
  for (const warning of allWarnings(described)) {
    warnings.push(warning);
    if (warnings.length >= maxWarnings) break;
  }
  return warnings;
}
