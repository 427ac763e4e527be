import {
  type Choice,
  choiceOf,
  configuredChoice,
  fieldKind,
  isRequired,
  isStoredSecret,
  labelOf,
  type PropShape,
  takesMany,
  textOf,
} from "./prop-shape.ts";

/** A timer that is being filled in. */
export interface TimerDraft {
  readonly mode: "interval" | "cron";
  readonly seconds: string;
  readonly cron: string;
  readonly timezone: string;
}

/** What a field holds while it is filled in; undefined for nothing. */
export type DraftValue = string | boolean | TimerDraft | readonly string[] | readonly Choice[] | undefined;

/** What all fields hold, by prop. */
export type Draft = Readonly<Record<string, DraftValue>>;

/** The values of props, as a source shows them and takes them. */
export type PropValues = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function timerDraft(value: unknown): TimerDraft {
  const given = isRecord(value) ? value : {};
  const { cron, timezone } = given;
  const seconds = given["interval_seconds"] ?? given["intervalSeconds"];
  const isCron = typeof cron === "string";
  return {
    mode: isCron ? "cron" : "interval",
    seconds: typeof seconds === "number" && seconds > 0 ? String(seconds) : "3600",
    cron: isCron ? cron : "",
    timezone: typeof timezone === "string" ? timezone : "",
  };
}

/** What a field holds at first. A stored secret is not shown, so its field is empty. */
export function draftOf(prop: PropShape, value: unknown): DraftValue {
  const kind = fieldKind(prop);
  if (kind === "timer") return timerDraft(value ?? prop.static ?? prop.default);
  if (value === undefined || value === null || isStoredSecret(value)) return undefined;
  if (kind === "account") return isRecord(value) ? textOf(value["authProvisionId"] ?? "") : undefined;
  if (kind === "choice") {
    const plain = isRecord(value) && "__lv" in value ? value["__lv"] : value;
    return (Array.isArray(plain) ? plain : [value]).map(choiceOf);
  }
  if (kind === "boolean") return value === true;
  if (kind === "list") return (Array.isArray(value) ? value : [value]).map((item) => choiceOf(item).label);
  if (kind === "json") return JSON.stringify(value, null, 2);
  return choiceOf(value).label;
}

/** The value of a field, or what is wrong with it. Neither: it has none. */
export interface ReadValue {
  readonly value?: unknown;
  readonly problem?: string;
}

function readNumber(text: string, { type, min, max }: PropShape): ReadValue {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "Must be a number" };
  if (type.startsWith("integer") && !Number.isSafeInteger(value)) return { problem: "Must be a whole number" };
  if (min !== undefined && value < min) return { problem: `Must be at least ${min}` };
  if (max !== undefined && value > max) return { problem: `Must be at most ${max}` };
  return { value };
}

function readItem(text: string, prop: PropShape): ReadValue {
  if (prop.type === "integer[]" || prop.type === "number[]") return readNumber(text, prop);
  if (prop.type !== "boolean[]") return { value: text };
  return text === "true" || text === "false" ? { value: text === "true" } : { problem: "Must be true or false" };
}

function readJson(text: string, prop: PropShape): ReadValue {
  try {
    const value: unknown = JSON.parse(text);
    if (prop.type === "any" || (isRecord(value) && !Array.isArray(value))) return { value };
    return { problem: "Must be a JSON object" };
  } catch (error) {
    return prop.type === "any"
      ? { value: text }
      : { problem: `Must be JSON: ${error instanceof Error ? error.message : ""}` };
  }
}

function readTimer({ mode, seconds, cron, timezone }: TimerDraft): ReadValue {
  if (mode === "cron") {
    if (cron.trim() === "") return { problem: "Give a cron expression, such as 0 9 * * 1-5" };
    return { value: { cron: cron.trim(), ...(timezone.trim() !== "" && { timezone: timezone.trim() }) } };
  }
  const read = readNumber(seconds, { name: "", type: "integer", min: 1 });
  return read.problem === undefined ? { value: { intervalSeconds: read.value } } : read;
}

function readList(items: readonly unknown[], prop: PropShape): ReadValue {
  if (fieldKind(prop) === "choice") {
    const [first, ...more] = (items as readonly Choice[]).map(configuredChoice);
    if (first === undefined) return {};
    return { value: takesMany(prop) ? [first, ...more] : first };
  }
  const texts = (items as readonly string[]).filter((text) => text !== "");
  if (texts.length === 0) return {};
  const read = texts.map((text) => readItem(text, prop));
  const wrong = read.find(({ problem }) => problem !== undefined);
  return wrong ?? { value: read.map(({ value }) => value) };
}

/** Reads what a field holds. */
export function readField(prop: PropShape, held: DraftValue): ReadValue {
  if (held === undefined || held === "") return {};
  if (Array.isArray(held)) return readList(held as readonly unknown[], prop);
  if (typeof held === "boolean") return { value: held };
  if (typeof held === "object") return readTimer(held as TimerDraft);
  const kind = fieldKind(prop);
  if (kind === "account") return { value: { authProvisionId: held } };
  if (kind === "integer") return readNumber(held, prop);
  return kind === "json" ? readJson(held, prop) : { value: held };
}

/** Messages by prop. */
export type Problems = Readonly<Record<string, string>>;

interface ReadDraft {
  /** What differs from the values before; null removes a value. */
  readonly changes: PropValues;
  readonly problems: Problems;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** True when a field holds another value than the default of its prop, which it does not take then. */
export function differsFromDefault(prop: PropShape, held: DraftValue): boolean {
  const kind = fieldKind(prop);
  if (prop.static !== undefined || prop.secret === true || (prop.default === undefined && kind !== "timer"))
    return false;
  const { value, problem } = readField(prop, held);
  if (value === undefined || problem !== undefined) return false;
  return !same(value, readField(prop, draftOf(prop, prop.default)).value);
}

/** Reads all fields. A stored secret whose field is empty stays. */
export function readDraft(props: readonly PropShape[], draft: Draft, before: PropValues): ReadDraft {
  const changes: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const prop of props) {
    const kind = fieldKind(prop);
    if (kind === "none" || kind === "alert" || prop.static !== undefined) continue;
    const old = before[prop.name];
    const { value, problem } = readField(prop, draft[prop.name]);
    if (problem !== undefined) problems[prop.name] = problem;
    else if (value !== undefined) {
      if (!same(value, readField(prop, draftOf(prop, old)).value) || old === undefined) changes[prop.name] = value;
    } else if (isStoredSecret(old) && draft[prop.name] === undefined) continue;
    else if (isRequired(prop)) problems[prop.name] = `${labelOf(prop)} is required`;
    else if (old !== undefined) changes[prop.name] = null;
  }
  return { changes, problems };
}

/** Problems of an answer by prop; the rest under an empty name. */
export function problemsOf(errors: readonly { readonly path: string; readonly message: string }[]): Problems {
  const found: Record<string, string> = {};
  for (const { path, message } of errors) {
    const [parameter = "", prop = ""] = path.slice(1).split("/");
    const name = /^(?:configured_props|props)$/.test(parameter) ? prop.replaceAll("~1", "/").replaceAll("~0", "~") : "";
    found[name] = found[name] === undefined ? message : `${found[name]}; ${message}`;
  }
  return found;
}
