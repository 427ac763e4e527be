import { cutText, didYouMean, requiredMembers, type DedupeStrategy, type HookName, type Problem } from "@x/model";
import { componentBounds } from "./bounds.ts";
import { otherModule } from "./other-module.ts";
import { compileCheck, sentence } from "./props/schema-check.ts";
import { isRecord, shownName } from "./shown-value.ts";

/** What a module exports, by name; props as the author wrote them. */
export interface DescribedComponent {
  readonly name: string;
  readonly version: string;
  readonly key?: string;
  readonly description?: string;
  readonly dedupe?: DedupeStrategy;
  readonly transactional?: boolean;
  readonly exactIntegers?: boolean;
  readonly hooks?: { readonly [hook: string]: unknown };
  readonly props?: { readonly [prop: string]: unknown };
  readonly additionalProps?: unknown;
}

const strategies: readonly DedupeStrategy[] = ["unique", "greatest", "last"];
const aFunction = { guest: "function", description: "a function" };
const described: readonly string[] = [
  "name",
  "version",
  "key",
  "description",
  "dedupe",
  "transactional",
  "exactIntegers",
  "run",
  "methods",
  "props",
  "hooks",
];
const anObject = { type: "object", guest: "object", description: "an object" } as const;
const aString = { type: "string", description: "a string" };

// What is not named here is the author's own and tolerated (sampleEmit, type, annotations, …).
const check = compileCheck({
  ...anObject,
  description: "one object (export default {…} or module.exports = {…})",
  required: [...requiredMembers],
  properties: {
    name: { type: "string", minLength: 1, description: "a string that is not empty" },
    version: aString,
    key: {
      type: "string",
      pattern: "^(?!sc_).",
      description: 'a string that is not empty and does not start with "sc_"',
    },
    description: aString,
    dedupe: { enum: strategies, description: `one of ${strategies.map((name) => `"${name}"`).join(", ")}` },
    transactional: { type: "boolean", description: "true or false" },
    exactIntegers: { type: "boolean", description: "true or false" },
    run: aFunction,
    methods: anObject,
    props: anObject,
    hooks: {
      ...anObject,
      properties: { deploy: aFunction, activate: aFunction, deactivate: aFunction } satisfies Record<HookName, unknown>,
    },
  },
});

/** Checks everything but the props (R031-R040, G61). */
export function componentProblems(component: unknown): Problem[] {
  const exports = namedExports(component);
  if (exports) return [withoutDefault(exports, "a component")];
  const other = otherModule(component);
  if (other) return [other];
  const problems = check(component)
    .filter((problem) => !isTick(component, problem))
    .map((problem) => {
      const hint =
        problem.path === "/dedupe" && typeof problem.value === "string" ? didYouMean(problem.value, strategies) : "";
      const what = problem.path === "" ? "The module's export" : problem.path.slice(1).replaceAll("/", ".");
      const found = sentence(what, problem, hint);
      return problem.value === undefined && problem.path !== ""
        ? { ...found, message: found.message + misnamed(component, problem.path) }
        : found;
    });
  return isRecord(component) ? [...problems, ...componentBounds(component)] : problems;
}

const typeOf = (prop: unknown): unknown => (isRecord(prop) ? prop["type"] : prop);

/** True for a component without `run` that emits the ticks of its timer. */
export function emitsTicks(component: unknown): boolean {
  if (!isRecord(component) || component["run"] !== undefined || component["type"] === "action") return false;
  const props = isRecord(component["props"]) ? Object.values(component["props"]) : [];
  return props.some((prop) => typeOf(prop) === "$.interface.timer");
}

const isTick = (component: unknown, { path, value }: { readonly path: string; readonly value?: unknown }): boolean =>
  path === "/run" && value === undefined && misnamed(component, path) === "" && emitsTicks(component);

/** ` (there is "Run")` where a member that is missing is there under nearly its name. */
function misnamed(component: unknown, path: string): string {
  const unknown = isRecord(component) ? Object.keys(component).filter((name) => !described.includes(name)) : [];
  return didYouMean(path.slice(1), unknown).replace("did you mean ", "there is ").replace("?)", ")");
}

/** The names that a module without a default export does export; undefined when it has one, or is CommonJS. */
export function namedExports(described: unknown): readonly string[] | undefined {
  const names = isRecord(described) && Object.hasOwn(described, "$exports") ? described["$exports"] : undefined;
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : undefined;
}

const shownExports = 5;

/** What is wrong with a module whose default export is missing. */
export function withoutDefault(exports: readonly string[], expected: string): Problem {
  const [first] = exports;
  const names = exports.slice(0, shownExports).map(shownName).join(", ");
  const has = first === undefined ? "exports nothing" : `exports ${names}${exports.length > shownExports ? ", …" : ""}`;
  const fix = exports.length === 1 && first !== undefined ? shownName(first) : `{ … }, ${expected}`;
  return { path: "", message: `The module has no default export: it ${has}; write export default ${fix}` };
}

const longestDeclaredName = 256;

/** The name for messages about a component that may not be valid: declared name, else key. */
export function findDeclaredName(component: unknown): string | undefined {
  if (!isRecord(component)) return undefined;
  const isName = (name: unknown): name is string => typeof name === "string" && name !== "";
  const declared = [component["name"], component["key"]].find(isName);
  return declared === undefined ? undefined : cutText(declared, longestDeclaredName);
}
