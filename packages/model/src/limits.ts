import { checkOptions, rule, type Rule } from "./rules.ts";

/** Limits; names end in their units. */
export interface Limits {
  /** One call of `run`, in milliseconds; default 300,000. */
  readonly runTimeoutMs: number;
  /** One hook, in milliseconds; default 60,000. */
  readonly hookTimeoutMs: number;
  /** One call of `options` or `additionalProps`, in milliseconds; default 30,000. */
  readonly optionsTimeoutMs: number;
  /** Evaluation of a module, in milliseconds; default 5,000. Three times as much with npm packages. */
  readonly describeTimeoutMs: number;
  /** CPU time of one bundling, in milliseconds; default 10,000. Three times as much with npm packages. */
  readonly bundleTimeoutMs: number;
  /** Memory that one bundling may add; default 512 MiB. Three times as much with npm packages. */
  readonly bundleMemoryBytes: number;
  /** Memory of one sandbox; default 256 MiB. */
  readonly memoryBytes: number;
  /** One file of a component; default 512 KiB. All files together: 16 times as much. */
  readonly codeBytes: number;
  /** Files of a component from a URL; default 100. */
  readonly codeFiles: number;
  /** Fetching all files of a component from a URL, in milliseconds; default 30,000. */
  readonly codeFetchTimeoutMs: number;
  /** Bundle of a component with npm packages; default 24 MiB. */
  readonly bundleBytes: number;
  /** Resolving and fetching all npm packages of a component, in milliseconds; default 60,000. */
  readonly packageTimeoutMs: number;
  /** One request to the npm registry, in milliseconds; default 20,000. */
  readonly packageRequestTimeoutMs: number;
  /** Wait before a component of the registry whose packages failed is read again, in milliseconds; default 15,000. Doubles five times. */
  readonly packageRetryMs: number;
  /** Longest wait for a component of the registry that is not evaluated yet, in milliseconds; default 3,000. A deploy waits as long as it takes. */
  readonly registryWaitMs: number;
  /** Memory of the installing process; default 512 MiB. */
  readonly packageMemoryBytes: number;
  /** npm packages of a component, dependencies included; default 1,500. */
  readonly packagesPerComponent: number;
  /** All package archives of a component together; default 100 MiB. */
  readonly packageArchiveBytes: number;
  /** All unpacked packages of a component together; default 400 MiB. */
  readonly packageUnpackedBytes: number;
  /** Events kept for each source and stream; default 100. */
  readonly retention: number;
  /** Executions stored for each source; default 100. 0: none, and none is recorded. */
  readonly executionsPerSource: number;
  /** Failed executions stored for each source, in addition to the newest ones; default 100. */
  readonly failedExecutionsPerSource: number;
  /** All stored executions of a source, about; default 8 MiB. The newest is stored in any case. */
  readonly executionBytesPerSource: number;
  /** Ids that `dedupe: "unique"` caches per channel; default 100. */
  readonly dedupeCacheSize: number;
  /** One event, as JSON; default 6 MiB. */
  readonly emitBytes: number;
  /** Nesting levels of an event; default 256. */
  readonly emitDepth: number;
  /** Events of one run; default 100,000. */
  readonly emitsPerRun: number;
  /** Distinct names (channels) of the events of one run; default 1,000. */
  readonly channelsPerRun: number;
  /** Events, and writes to the db and data stores, of one run together; default 32 MiB. */
  readonly effectBytesPerRun: number;
  /** Body of a response of a run; default 32 MiB. */
  readonly responseBytes: number;
  /** Longer summaries are cut; default 1,000. */
  readonly summaryChars: number;
  /** Log records of one run; default 100. */
  readonly logsPerRun: number;
  /** One log record, as JSON; default 16 KiB. */
  readonly logRecordBytes: number;
  /** One value of a db or data store, as JSON; default 60 KiB. */
  readonly dbValueBytes: number;
  /** All values of the db of a source, or of a data store; default 1 MiB. */
  readonly dbBytes: number;
  /** One key of a db or data store; default 512 bytes. */
  readonly dbKeyBytes: number;
  /** Body of a request to an endpoint; default 512 KiB. */
  readonly httpBodyBytes: number;
  /** Waiting triggers of a source; default 1,000. More are refused with `queue_full`, also beyond the byte limits below. */
  readonly inboxPerSource: number;
  /** Bytes of waiting triggers of a source, plus 2 KiB for each; default 64 MiB. */
  readonly inboxBytesPerSource: number;
  /** `inboxBytesPerSource` for all sources of a user together; default 256 MiB. */
  readonly inboxBytesPerUser: number;
  /** `inboxBytesPerSource` for all sources together; default 1 GiB. */
  readonly inboxBytes: number;
  /** Bytes of triggers that are being stored at the same time; default 64 MiB. More are refused with `queue_full`. */
  readonly acceptingBytes: number;
  /** How long a change of a source waits for its runs and other changes, in milliseconds; then it fails with `busy`. Default 30,000. */
  readonly busyWaitMs: number;
  /** One request of a component, in milliseconds; default 60,000. */
  readonly fetchTimeoutMs: number;
  /** Body of a response to a component; default 64 MiB. */
  readonly fetchBodyBytes: number;
  /** Redirects per request; default 20. */
  readonly fetchRedirects: number;
  /** Memory outside of sandboxes for requests of all components and their responses; default 512 MiB. */
  readonly fetchBytesInFlight: number;
  /** One attempt to deliver to a webhook, in milliseconds; default 15,000. */
  readonly deliveryTimeoutMs: number;
  /** Body of a response to a delivery; default 64 KiB. */
  readonly deliveryResponseBytes: number;
  /** Concurrent deliveries; default 64. */
  readonly deliverySockets: number;
  /** Deliveries that wait for a paused webhook; default 10,000. Further events are counted as skipped. */
  readonly pausedDeliveries: number;
  /** Longest chain of subscriptions and endpoint calls; default 10. Longer ones fail with `subscription_loop`. */
  readonly deliveryHops: number;
}

/** The default limits. */
export const defaults: Limits = Object.freeze({
  runTimeoutMs: 300_000,
  hookTimeoutMs: 60_000,
  optionsTimeoutMs: 30_000,
  describeTimeoutMs: 5_000,
  bundleTimeoutMs: 10_000,
  bundleMemoryBytes: 512 * 1024 * 1024,
  memoryBytes: 256 * 1024 * 1024,
  codeBytes: 512 * 1024,
  codeFiles: 100,
  codeFetchTimeoutMs: 30_000,
  bundleBytes: 24 * 1024 * 1024,
  packageTimeoutMs: 60_000,
  packageRequestTimeoutMs: 20_000,
  packageRetryMs: 15_000,
  registryWaitMs: 3_000,
  packageMemoryBytes: 512 * 1024 * 1024,
  packagesPerComponent: 1_500,
  packageArchiveBytes: 100 * 1024 * 1024,
  packageUnpackedBytes: 400 * 1024 * 1024,
  retention: 100,
  executionsPerSource: 100,
  failedExecutionsPerSource: 100,
  executionBytesPerSource: 8 * 1024 * 1024,
  dedupeCacheSize: 100,
  emitBytes: 6 * 1024 * 1024,
  emitDepth: 256,
  emitsPerRun: 100_000,
  channelsPerRun: 1_000,
  effectBytesPerRun: 32 * 1024 * 1024,
  responseBytes: 32 * 1024 * 1024,
  summaryChars: 1_000,
  logsPerRun: 100,
  logRecordBytes: 16 * 1024,
  dbValueBytes: 60 * 1024,
  dbBytes: 1024 * 1024,
  dbKeyBytes: 512,
  httpBodyBytes: 512 * 1024,
  inboxPerSource: 1_000,
  inboxBytesPerSource: 64 * 1024 * 1024,
  inboxBytesPerUser: 256 * 1024 * 1024,
  inboxBytes: 1024 * 1024 * 1024,
  acceptingBytes: 64 * 1024 * 1024,
  busyWaitMs: 30_000,
  fetchTimeoutMs: 60_000,
  fetchBodyBytes: 64 * 1024 * 1024,
  fetchRedirects: 20,
  fetchBytesInFlight: 512 * 1024 * 1024,
  deliveryTimeoutMs: 15_000,
  deliveryResponseBytes: 64 * 1024,
  deliverySockets: 64,
  pausedDeliveries: 10_000,
  deliveryHops: 10,
});

/** Limits that may be 0. */
const counts: readonly string[] = ["executionsPerSource", "failedExecutionsPerSource"] satisfies (keyof Limits)[];

/** The rule of the `limits` option. */
export const limitsRule: Rule = rule.object(
  "an object of limits",
  Object.fromEntries(Object.keys(defaults).map((name) => [name, counts.includes(name) ? rule.count : rule.positive])),
);

/** Merges limits over the defaults. Throws `invalid_options` for unknown names and for values that are not integers in range. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  checkOptions({ limits: given }, { limits: limitsRule });
  return Object.freeze({ ...defaults, ...given });
}
