import { checkInput, rule, type Rule, type Rules, type SourceSettings } from "@x/model";

const maxMemoryBytes = 4 * 1024 ** 3;
const maxExecutions = 10_000;

const settingsRules: Rules<SourceSettings> = {
  runTimeoutMs: rule.positive,
  // The address space of WebAssembly.
  memoryBytes: rule.of(
    `a positive integer of at most ${maxMemoryBytes}`,
    (value) => rule.positive.fits(value) && Number(value) <= maxMemoryBytes,
  ),
  dedupeCacheSize: rule.positive,
  warm: rule.flag,
  transactional: rule.flag,
  exactIntegers: rule.flag,
  executions: rule.of(
    `an integer from 0 to ${maxExecutions}`,
    (value) => rule.count.fits(value) && Number(value) <= maxExecutions,
  ),
};
const settingsRule: Rule = rule.object("an object with settings", settingsRules);

/** The given settings of a source or workflow, without undefined ones. Throws `invalid_parameter` with every problem. */
export function readSettings(given: unknown): SourceSettings {
  checkInput({ settings: given }, { settings: settingsRule });
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
}
