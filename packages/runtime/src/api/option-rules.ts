import type { ObserveHooks } from "./observe-api.ts";
import { checkOptions as check, limitsRule, rule, type Rule, type Rules } from "@x/model";
import { type EngineOptions, type Instrumentation, type NetworkOptions, type RuntimeOptions } from "./options.ts";
import type { PackageOptions } from "@x/components";

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const workers: Rule = rule.of("0 or a positive integer", (value) => Number.isSafeInteger(value) && Number(value) >= 0);

const modes: readonly unknown[] = ["deny-private", "allow-private", "none"] satisfies NetworkOptions["mode"][];
const hosts: Rule = rule.of(
  "a list of hosts, *.suffixes, addresses or CIDRs",
  (value) => Array.isArray(value) && value.every(isText),
);
const networkRules: Rules<NetworkOptions> = {
  mode: rule.of(modes.join(", "), (value) => modes.includes(value)),
  allow: hosts,
  deny: hosts,
  upstream: rule.text("an http or https origin"),
  fetch: rule.fn,
  exchange: rule.fn,
};
const packageRules: Rules<PackageOptions> = {
  registry: rule.text("an http or https URL"),
  cache: rule.text("the path of a folder"),
  cacheBytes: rule.of("a number of bytes", (value) => typeof value === "number"),
  onProgress: rule.fn,
};

const observeRules: Rules<ObserveHooks> = {
  start: rule.fn,
  end: rule.fn,
  ask: rule.fn,
  commit: rule.fn,
  delivery: rule.fn,
  deploy: rule.fn,
};

const runtimeRules: Rules<RuntimeOptions> = {
  data: rule.text("the path of a folder"),
  memory: rule.having("open", "copy"),
  store: rule.having("commit", "recoverTriggers", "close"),
  keyv: rule.having("get", "set", "delete"),
  clock: rule.having("now", "wakeAt"),
  logger: rule.having("info", "warn", "error"),
  network: rule.object("an object of network options", networkRules),
  limits: limitsRule,
  packages: {
    ...rule.object("false, or an object of package options", packageRules),
    fits: (value) => value === false || (typeof value === "object" && value !== null && !Array.isArray(value)),
  },
  workers,
  engine: rule.having("close"),
  transactional: rule.flag,
  exactIntegers: rule.flag,
  publicUrl: rule.of("an http or https URL without a query or fragment", isBase),
  listeningUrl: rule.of("an http or https URL without a query or fragment", isBase),
  // Characters that `Authorization: Bearer` can contain.
  apiKey: rule.secret(
    rule.of("1 to 512 characters without spaces or commas", (value) => isText(value) && /^[^\s,]{1,512}$/.test(value)),
  ),
  accounts: rule.fn,
  missingAccounts: rule.oneOf("refuse", "allow"),
  secretKey: rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters")),
  registry: rule.of("the path of a folder, or a list of components", (value) => isText(value) || Array.isArray(value)),
  observe: {
    ...rule.object("a function, or an object of functions", observeRules),
    fits: (value) =>
      typeof value === "function" || (typeof value === "object" && value !== null && !Array.isArray(value)),
  },
  deliverySchedule: rule.of("a list of delays in milliseconds, one for each attempt, at least one", Array.isArray),
};

const instrumentRules: Rules<Instrumentation> = { module: rule.text("the URL of a module"), counted: rule.fn };

const engineRules: Rules<EngineOptions> = {
  limits: limitsRule,
  workers,
  warm: {
    expected: 'true, false or "changing"',
    fits: (value) => typeof value === "boolean" || value === "changing",
  },
  sandbox: rule.oneOf("quickjs", "node"),
  buildsFolder: rule.text("the path of a folder"),
  instrument: rule.object("an object with module and counted", instrumentRules),
};

function isBase(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && search === "" && hash === "";
}

const fileRules: Rules<{ file: string; root: string }> = {
  file: rule.text("the path of a file"),
  root: rule.text("the path of a folder"),
};
const codeRules: Rules<{ code: string }> = { code: rule.of("a text", (value) => typeof value === "string") };

/** Throws `invalid_options` for unknown options and invalid values. */
export function checkOptions(options: RuntimeOptions): void {
  check(options, runtimeRules);
  if (!Array.isArray(options.registry)) return;
  for (const [index, module] of (options.registry as readonly object[]).entries()) {
    const isFile = typeof module === "object" && module !== null && "file" in module;
    const rules = rule.object("{ file, root? } or { code }", isFile ? fileRules : codeRules);
    check({ [index]: module }, { [index]: rules }, ["registry"]);
  }
}

/** `checkOptions` for the options of `createEngine`. */
export const checkEngineOptions = (options: EngineOptions): void => check(options, engineRules);
