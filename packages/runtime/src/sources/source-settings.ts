import { type Problem, XError } from "../model/errors.ts";
import type { SourceSettings } from "../model/model.ts";

interface Rule {
  readonly expected: string;
  isMet(value: unknown): boolean;
}

const mostMemoryBytes = 4 * 1024 ** 3;
const count = (expected: string, most: number): Rule => ({
  expected,
  isMet: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most,
});
const flag: Rule = { expected: "true or false", isMet: (value) => typeof value === "boolean" };
const positive = count("a positive integer", Number.MAX_SAFE_INTEGER);

const rules: { readonly [name in keyof SourceSettings]-?: Rule } = {
  runTimeoutMs: positive,
  // What WebAssembly can address.
  memoryBytes: count(`a positive integer of at most ${mostMemoryBytes}`, mostMemoryBytes),
  dedupeCacheSize: positive,
  warm: flag,
  transactional: flag,
};

function show(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : typeof value === "string" ? JSON.stringify(value) : String(value);
}

interface Wrong {
  readonly parameter: string;
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

function refuse(wrong: readonly [Wrong, ...Wrong[]]): never {
  const [{ parameter, expected, got }] = wrong;
  const errors = wrong.map((each): Problem => ({ path: each.path, message: `must be ${each.expected}` }));
  throw new XError("invalid_parameter", [parameter, expected, got], { details: { parameter, received: got, errors } });
}

/**
 * The settings of a source or workflow, as a program gives them: those that are undefined are left out. Throws
 * `invalid_parameter` with every problem.
 */
export function readSettings(given: unknown): SourceSettings {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    refuse([{ parameter: "settings", path: "/settings", expected: "an object with settings", got: show(given) }]);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const [first, ...rest] = entries.flatMap(([name, value]): Wrong[] => {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof SourceSettings] : undefined;
    if (rule?.isMet(value) === true) return [];
    const place = { parameter: `settings.${name}`, path: `/settings/${name}` };
    const known = `one of ${Object.keys(rules).join(", ")}`;
    return [
      rule
        ? { ...place, expected: rule.expected, got: show(value) }
        : { ...place, expected: known, got: "an unknown name" },
    ];
  });
  if (first) refuse([first, ...rest]);
  return Object.fromEntries(entries);
}
