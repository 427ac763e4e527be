import { XError } from "../model/errors.ts";
import type { EngineOptions, NetworkOptions, PackageOptions, RuntimeOptions } from "./options.ts";

/** What a value must be, in words, and whether it is. */
interface Rule {
  readonly expected: string;
  fits(value: unknown): boolean;
}
type Rules<Options> = { readonly [Name in keyof Required<Options>]: Rule };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const rule = (expected: string, fits: Rule["fits"]): Rule => ({ expected, fits });
const text = (expected: string): Rule => rule(expected, isText);
const fn: Rule = rule("a function", (value) => typeof value === "function");
const having = (...methods: readonly string[]): Rule =>
  rule(`an object with ${methods.join(", ")}`, (value) => {
    const given = Object(value) as Readonly<Record<string, unknown>>;
    return methods.every((method) => typeof given[method] === "function");
  });

const workers: Rule = rule("0 or a positive integer", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const limits: Rule = rule("an object of limits", isObject);

const runtimeRules: Rules<RuntimeOptions> = {
  data: text("the path of a folder"),
  memory: having("open", "copy"),
  keyv: having("get", "set", "delete"),
  clock: having("now", "wakeAt"),
  logger: having("info", "warn", "error"),
  network: rule("an object of network options", isObject),
  limits,
  packages: rule("false, or an object of package options", (value) => value === false || isObject(value)),
  workers,
  engine: having("close"),
  transactional: rule("true or false", (value) => typeof value === "boolean"),
  publicUrl: rule("an http or https URL without query and fragment", isBase),
  // What `Authorization: Bearer` can carry.
  apiKey: rule(
    "1 to 512 characters without spaces and commas",
    (value) => isText(value) && /^[^\s,]{1,512}$/.test(value),
  ),
  accounts: fn,
  missingAccounts: rule("refuse or allow", (value) => value === "refuse" || value === "allow"),
  secretKey: text("32 bytes in hex or base64, or a passphrase of at least 12 characters"),
  registry: rule("the path of a folder, or a list of components", (value) => isText(value) || Array.isArray(value)),
  observe: fn,
  deliverySchedule: rule("a list of milliseconds before each attempt, at least one", Array.isArray),
};

const modes: readonly unknown[] = ["deny-private", "allow-private", "none"] satisfies NetworkOptions["mode"][];
const hosts: Rule = rule(
  "a list of hosts, *.suffixes, addresses or CIDRs",
  (value) => Array.isArray(value) && value.every(isText),
);
const networkRules: Rules<NetworkOptions> = {
  mode: rule(modes.join(", "), (value) => modes.includes(value)),
  allow: hosts,
  deny: hosts,
  upstream: text("an http or https origin"),
  fetch: fn,
  exchange: fn,
};
const packageRules: Rules<PackageOptions> = {
  registry: text("an http or https URL"),
  cache: text("the path of a folder"),
  cacheBytes: rule("a number of bytes", (value) => typeof value === "number"),
  onProgress: fn,
};

const engineRules: Rules<EngineOptions> = {
  limits,
  workers,
  warm: rule("true or false", (value) => typeof value === "boolean"),
  sandbox: rule("quickjs or node", (value) => value === "quickjs" || value === "node"),
  buildsFolder: text("the path of a folder"),
  instrument: rule("an object with module and counted", isObject),
};

function isBase(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && search === "" && hash === "";
}

/** A value as a message can show it: never a secret. */
function shown(name: string, value: unknown): string {
  if (typeof value === "string") return /key$/i.test(name) ? `${value.length} characters` : JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function check(given: object, rules: Readonly<Record<string, Rule>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!known)
      throw new XError("invalid_options", [
        prefix + name,
        `one of ${Object.keys(rules).join(", ")}`,
        "an unknown name",
      ]);
    if (value !== undefined && !known.fits(value))
      throw new XError("invalid_options", [prefix + name, known.expected, shown(name, value)]);
  }
}

/** Refuses names that no option has, and values that cannot be meant, with `invalid_options`. */
export function checkOptions(options: RuntimeOptions): void {
  check(options, runtimeRules, "");
  if (options.network) check(options.network, networkRules, "network.");
  if (isObject(options.packages)) check(options.packages, packageRules, "packages.");
}

/** The same for the options of `createEngine`. */
export const checkEngineOptions = (options: EngineOptions): void => check(options, engineRules, "");
