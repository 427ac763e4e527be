/** Every failure the runtime reports. The code is the contract; the text may improve. Three audiences, by prefix or family. */
export const messages = {
  // caller
  missing_parameter: (name: string, expected: string) => `Parameter "${name}" is missing; expected ${expected}.`,
  invalid_parameter: (name: string, expected: string, got: string) =>
    `Parameter "${name}" must be ${expected}, got ${got}.`,
  invalid_json: (problem: string) => `The body is not valid JSON: ${problem}.`,
  malformed_request: (problem: string) => `The request is not valid HTTP: ${problem}.`,
  invalid_component: (name: string, problem: string) => `Component ${name} cannot be saved: ${problem}.`,
  invalid_workflow: (name: string, problem: string) => `Workflow ${name} cannot be registered: ${problem}.`,
  invalid_props: (name: string, problem: string) => `Props of component ${name} are not valid: ${problem}.`,
  not_found: (what: string, id: string, ...[why = ""]: string[]): string =>
    what === "dynamic props"
      ? `No dynamic props have the id "${id}" now: they are kept for a while, and not over a restart. Ask the component for them again, or leave the id out: the runtime asks it then.`
      : `No ${what} has the id or key "${id}"${why === "" ? "" : `: ${why}`}.`,
  inactive: (id: string): string =>
    id.startsWith("wh_")
      ? `Webhook "${id}" is inactive; activate it first.`
      : id.startsWith("p_")
        ? `Workflow "${id}" is inactive: this process has not registered it.`
        : `Source "${id}" is inactive; activate it, or pass "force": true.`,
  username_taken: (name: string) => `The username "${name}" is taken; choose another.`,
  key_conflict: (key: string, problem: string) => `Key "${key}" cannot be published: ${problem}.`,
  busy: (id: string) => `Source "${id}" is busy with another change; try again.`,
  account_in_use: (id: string, sources: string) =>
    `Account "${id}" is used by ${sources}; give them another account, or delete it with "force": true.`,
  queue_full: (id: string, limit: string, got: string) =>
    `The inbox of source "${id}" is full: ${limit} may wait, ${got} would; try again later.`,
  unauthorized: () => `The Authorization header must be "Bearer <API key>" with a valid key.`,
  method_not_allowed: (method: string, allowed: string) => `Method ${method} is not allowed here; allowed: ${allowed}.`,
  unsupported_media_type: (got: string) => `The body must have Content-Type application/json, got ${got}.`,
  payload_too_large: (limit: string) => `The body is larger than ${limit} bytes.`,
  rate_limited: (seconds: string) => `Too many requests; try again in ${seconds} s.`,
  // component
  bundle_failed: (name: string, problem: string) => `Component ${name} cannot be bundled: ${problem}`,
  package_unresolved: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} cannot be resolved: ${problem}.`,
  package_refused: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} is refused: ${problem}.`,
  package_too_large: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} is too large: ${problem}.`,
  package_integrity: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} cannot be trusted: ${problem}.`,
  package_native: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} is native code: ${problem}.`,
  package_failed: (name: string, importer: string, problem: string) =>
    `Package "${name}" imported by ${importer} cannot be loaded: ${problem}.`,
  additional_props_failed: (name: string, problem: string) => `additionalProps of component ${name} failed: ${problem}`,
  invalid_result: (entry: string, expected: string, got: string) => `${entry} must give ${expected}, got ${got}.`,
  hook_failed: (hook: string, problem: string) => `Hook "${hook}" failed: ${problem}`,
  component_url_failed: (url: string, problem: string) => `Component URL ${url} cannot be read: ${problem}.`,
  component_threw: (entry: string, problem: string) => `${entry} threw: ${problem}`,
  account_missing: (id: string, prop: string, app: string) =>
    `Account "${id}" of prop "${prop}" is gone; connect an account of app "${app}" and configure the prop with it.`,
  account_failed: (id: string, app: string, problem: string) =>
    `The credentials of account "${id}" of app "${app}" cannot be had: ${problem}.`,
  no_response: (prop: string) => `run ended without this.${prop}.respond(), which customResponse: true requires.`,
  sandbox_timeout: (entry: string, ms: string) => `${entry} ran longer than ${ms} ms and was stopped.`,
  sandbox_out_of_memory: (entry: string, limit: string) =>
    `${entry} needed more memory than ${limit} bytes and was stopped.`,
  sandbox_crashed: (entry: string, problem: string) => `${entry} broke its sandbox and was stopped: ${problem}.`,
  trigger_abandoned: (id: string, crashes: string) =>
    `Trigger "${id}" was running at ${crashes} crashes of the process and was taken out of the inbox.`,
  subscription_loop: (hops: string) =>
    `The event that led here came through ${hops} subscriptions and calls of endpoints one after another; the chain ends here.`,
  events_dropped: (count: string, emitters: string, limit: string) =>
    `${count} events of ${emitters} were not delivered to this source: its inbox was full (${limit}).`,
  delivery_failed: (webhook: string, attempts: string, problem: string) =>
    `Delivery to webhook "${webhook}" failed after ${attempts} attempts: ${problem}`,
  address_forbidden: (address: string, rule: string) => `Address ${address} is not allowed: ${rule}.`,
  network_failed: (url: string, problem: string) => `Request to ${url} failed: ${problem}.`,
  db_value_too_large: (key: string, limit: string, got: string) =>
    `Value of db key "${key}" must be at most ${limit} bytes of JSON, got ${got}.`,
  // system
  store_locked: (file: string) => `The data folder ${file} is in use by another process or runtime.`,
  store_failed: (action: string, problem: string) => `The store could not ${action}: ${problem}.`,
  store_corrupt: (file: string, problem: string) => `The data file ${file} is damaged: ${problem}.`,
  store_version: (file: string, expected: string, got: string) =>
    `The data file ${file} has schema version ${got}; this release reads up to ${expected}.`,
  secret_key_missing: (folder: string, expected: string) =>
    `The secrets in ${folder} cannot be decrypted without their key; expected ${expected}.`,
  secret_key_wrong: (folder: string, key: string, expected: string) =>
    `The secrets in ${folder} cannot be decrypted with ${key}; expected ${expected}.`,
  secret_key_unreadable: (file: string, problem: string) =>
    `The key file ${file} cannot be used: ${problem}; restore it from a backup.`,
  secret_damaged: (what: string, id: string) =>
    `The secrets of ${what} "${id}" cannot be decrypted: they were changed, or belong to another record.`,
  registry_failed: (folder: string, problem: string) => `The registry ${folder} cannot be written: ${problem}.`,
  invalid_options: (name: string, expected: string, got: string) => `Option "${name}" must be ${expected}, got ${got}.`,
  closed: () => `The runtime is closed.`,
  internal: () => `Internal error.`,
} as const;

export type ErrorCode = keyof typeof messages;
type Args<C extends ErrorCode> = Parameters<(typeof messages)[C]>;

const brand = Symbol.for("@x/runtime/error");

/** One problem found in caller input; `path` is a JSON pointer. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ErrorDetails {
  /** Every problem, not only the first. */
  readonly errors?: readonly Problem[];
  readonly [detail: string]: unknown;
}

/** The one error class that leaves the runtime. Compare `code`, never the text. */
export class XError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails;

  constructor(code: C, args: Args<C>, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    const text: (...values: string[]) => string = messages[code];
    super(text(...args), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = `XError [${code}]`;
    this.code = code;
    this.details = options.details ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  /** True for errors of any installed copy of the runtime. */
  static is(value: unknown): value is XError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
