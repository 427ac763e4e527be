import { cutText, isParsable, numericId, sha256Hex, type DedupeStrategy } from "@x/model";
import { channelProblem } from "../channel.ts";
import { isJson, jsonDepth, parseGuestJson } from "./guest-json.ts";

/** Limits of effects, checked on the host's side. The guest checks them too, but code can change what it does. */
export interface EffectRules {
  readonly dedupe: DedupeStrategy | undefined;
  readonly emitBytes: number;
  readonly emitDepth: number;
  readonly emitsPerRun: number;
  readonly channelsPerRun: number;
  readonly effectBytesPerRun: number;
  readonly summaryChars: number;
  readonly responseBytes: number;
  readonly logsPerRun: number;
  readonly logRecordBytes: number;
  readonly dbKeyBytes: number;
  readonly dbValueBytes: number;
  readonly dbBytes: number;
}

/** Metadata of an emit. */
export interface EmitMeta {
  readonly id?: string;
  /** The given id, when it cannot identify an event, as text. */
  readonly unusableId?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly name?: string;
}

const maxMetaParts = 16;
/** In characters. */
const longestId = 4_096;

/** Reads the metadata that the prelude sends. Code that changes built-ins can make it send anything. */
export function readEmitMeta(text: string): EmitMeta {
  const given = parseGuestJson(text, maxMetaParts) as { readonly [field: string]: unknown };
  const { id, unusableId, summary, ts, name } = given;
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof unusableId === "string" && { unusableId: unusableId.slice(0, 64) }),
    ...(typeof summary === "string" && { summary }),
    ...(typeof ts === "number" && Number.isFinite(ts) && { ts }),
    ...(typeof name === "string" && { name }),
  };
}

/** Metadata as it is stored: long summaries are cut, and long ids are replaced by their hash. */
export function storedMeta(
  { id, summary, ts, name }: EmitMeta,
  { summaryChars }: Pick<EffectRules, "summaryChars">,
): EmitMeta {
  return {
    ...(id !== undefined && { id: id.length > longestId ? sha256Hex(id) : id }),
    ...(summary !== undefined && { summary: summary.slice(0, summaryChars) }),
    ...(ts !== undefined && { ts }),
    ...(name !== undefined && { name }),
  };
}

/** `Name\nmessage` of the error that the author's call throws. */
type Refusal = string;

/** Stored values are parsed on the host's stack. */
const deepestDbValue = 1_024;

const bytesOf = (text: string): number => Buffer.byteLength(text);
const refusedResult = (name: string, message: string): { name: string; message: string; stack: string } => ({
  name,
  message,
  stack: `${name}: ${message}`,
});
function channelRefusal(name: string | undefined): Refusal | undefined {
  const problem = name === undefined ? undefined : channelProblem(name);
  return problem === undefined ? undefined : `EmitNameError\n$emit: ${problem}`;
}

/** The bytes of each key with its value, and of all together. */
class DbSizes {
  total = 0;
  readonly #sizes = new Map<string, number>();

  of(key: string): number {
    return this.#sizes.get(key) ?? 0;
  }

  set(key: string, bytes: number): void {
    this.total += bytes - this.of(key);
    this.#sizes.set(key, bytes);
  }
}

function storedSizes(callText: string): DbSizes {
  const { db } = JSON.parse(callText) as { db: Record<string, string> };
  const sizes = new DbSizes();
  for (const [key, value] of Object.entries(db)) sizes.set(key, bytesOf(key) + bytesOf(value));
  return sizes;
}

/** The store holds UTF-8, in which keys that differ only in a lone surrogate would be equal. */
const halfKey = (key: string, what: string): string =>
  `A ${what} key must be whole characters, got ${JSON.stringify(key.slice(0, 64))}, which has half of a surrogate pair`;

/** What keeps values: the db of a source, or a data store. */
interface Keeper {
  readonly what: string;
  /** Begins the names of its errors. */
  readonly error: string;
}

const db: Keeper = { what: "db", error: "Db" };
const dataStore: Keeper = { what: "data store", error: "DataStore" };

function keyProblem({ what, error }: Keeper, key: string, bytes: number, most: number): Refusal | undefined {
  if (!key.isWellFormed()) return `TypeError\n${halfKey(key, what)}`;
  return bytes > most
    ? `${error}KeyTooLongError\nA ${what} key must be at most ${most} bytes, got ${bytes}`
    : undefined;
}

function valueProblem(keeper: Keeper, key: string, value: string, bytes: number, most: number): Refusal | undefined {
  const { error } = keeper;
  const what = `The value of ${keeper.what} key ${JSON.stringify(key)}`;
  if (bytes > most) return `${error}ValueTooLargeError\n${what} must be at most ${most} bytes of JSON, got ${bytes}`;
  if (jsonDepth(value) > deepestDbValue)
    return `${error}ValueTooDeepError\n${what} must be nested at most ${deepestDbValue} levels deep`;
  return isJson(value) ? undefined : `${error}ValueError\n${what} is not JSON`;
}

/** Counts and checks the effects of one call. */
export class EffectGate {
  readonly #rules: EffectRules;
  readonly #callText: string;
  /** Upper bound of the db's size with this run's writes; the exact size is computed only when this exceeds the limit. */
  #dbUpperBytes: number;
  #dbSizes: DbSizes | undefined;
  /** The writes before the exact size was computed. */
  readonly #written = new Map<string, number>();
  #emits = 0;
  readonly #channels = new Set<string>();
  #bytes = 0;

  /** `callText` is the call as JSON, with the db under `db`. */
  constructor(rules: EffectRules, callText: string) {
    this.#rules = rules;
    this.#callText = callText;
    this.#dbUpperBytes = bytesOf(callText);
  }

  /** `metaText` is the JSON text of the metadata. */
  emit(meta: EmitMeta, payload: string, metaText: string): Refusal | undefined {
    const { id, name } = meta;
    const { emitBytes, emitDepth, emitsPerRun, channelsPerRun, effectBytesPerRun } = this.#rules;
    const problem = this.#idProblem(meta) ?? channelRefusal(name) ?? this.#numberProblem(id);
    if (problem !== undefined) return problem;
    const bytes = bytesOf(payload);
    if (bytes > emitBytes)
      return `EmitTooLargeError\nThe event must be at most ${emitBytes} bytes of JSON, got ${bytes}`;
    if (jsonDepth(payload) > emitDepth)
      return `EmitTooDeepError\nThe event must be nested at most ${emitDepth} levels deep`;
    if (!isJson(payload)) return "EmitSerializationError\nThe event is not JSON";
    if (name !== undefined && !this.#channels.has(name) && this.#channels.size >= channelsPerRun)
      return `EmitLimitError\nA run may emit on at most ${channelsPerRun} channels, ${JSON.stringify(name)} is one more`;
    if (name !== undefined) this.#channels.add(name);
    this.#emits += 1;
    if (this.#emits > emitsPerRun) return `EmitLimitError\nA run may emit at most ${emitsPerRun} events`;
    this.#bytes += bytes + bytesOf(metaText);
    if (this.#bytes > effectBytesPerRun)
      return `EmitLimitError\nA run may emit and store at most ${effectBytesPerRun} bytes`;
    return undefined;
  }

  #idProblem({ id, unusableId }: EmitMeta): Refusal | undefined {
    const { dedupe } = this.#rules;
    if (!dedupe || (id !== undefined && id !== "" && unusableId === undefined)) return undefined;
    const got = unusableId === undefined ? "" : `, got ${unusableId}`;
    return `DedupeIdRequiredError\n$emit needs an id (a text that is not empty, or a finite number) because the component has dedupe "${dedupe}": this.$emit(event, { id })${got}`;
  }

  #numberProblem(id = ""): Refusal | undefined {
    return this.#rules.dedupe === "greatest" && numericId(id) === undefined
      ? `DedupeIdNotNumericError\n$emit needs a numeric id because the component has dedupe "greatest", got ${JSON.stringify(cutText(id, 64))}`
      : undefined;
  }

  /** Why a return value is refused; it has the limits of an event. */
  result(entry: string, text: string): { name: string; message: string; stack: string } | undefined {
    const { emitBytes, emitDepth } = this.#rules;
    const bytes = bytesOf(text);
    if (bytes > emitBytes)
      return refusedResult(
        "ResultTooLargeError",
        `${entry} may return at most ${emitBytes} bytes of JSON, got ${bytes}`,
      );
    if (jsonDepth(text) > emitDepth)
      return refusedResult(
        "ResultTooDeepError",
        `What ${entry} returns may be nested at most ${emitDepth} levels deep`,
      );
    if (!isParsable(text))
      return refusedResult("ResultTooLargeError", `What ${entry} returns may have at most 200,000 objects and lists`);
    return isJson(text) ? undefined : refusedResult("ResultError", `What ${entry} returned is not JSON`);
  }

  /** `value` is JSON text; undefined deletes. */
  dbSet(key: string, value: string | undefined): Refusal | undefined {
    const { dbBytes, effectBytesPerRun } = this.#rules;
    const { keyBytes, bytes, problem } = this.#measure(db, key, value);
    if (problem !== undefined) return problem;
    const size = value === undefined ? 0 : bytes + keyBytes;
    this.#dbUpperBytes += size;
    if (this.#dbUpperBytes > dbBytes) {
      const sizes = (this.#dbSizes ??= this.#exactSizes());
      const total = sizes.total - sizes.of(key) + size;
      if (total > dbBytes)
        return `DbTooLargeError\nThe db of a source must be at most ${dbBytes} bytes, this write makes it ${total}`;
    }
    this.#bytes += bytes + keyBytes;
    if (this.#bytes > effectBytesPerRun)
      return `DbTooLargeError\nA run may emit and store at most ${effectBytesPerRun} bytes`;
    (this.#dbSizes ?? this.#written).set(key, size);
    return undefined;
  }

  /** Checks a call of a data store; how much that holds is known where it is stored. `value` is JSON text. */
  dataStore(key: string, value: string | undefined, writes: boolean): Refusal | undefined {
    const { effectBytesPerRun } = this.#rules;
    const { keyBytes, bytes, problem } = this.#measure(dataStore, key, value);
    if (problem !== undefined || !writes) return problem;
    this.#bytes += bytes + keyBytes;
    return this.#bytes > effectBytesPerRun
      ? `DataStoreTooLargeError\nA run may emit and store at most ${effectBytesPerRun} bytes`
      : undefined;
  }

  #measure(
    keeper: Keeper,
    key: string,
    value: string | undefined,
  ): { readonly keyBytes: number; readonly bytes: number; readonly problem: Refusal | undefined } {
    const { dbKeyBytes, dbValueBytes } = this.#rules;
    const keyBytes = bytesOf(key);
    const bytes = value === undefined ? 0 : bytesOf(value);
    const problem =
      keyProblem(keeper, key, keyBytes, dbKeyBytes) ??
      (value === undefined ? undefined : valueProblem(keeper, key, value, bytes, dbValueBytes));
    return { keyBytes, bytes, problem };
  }

  #exactSizes(): DbSizes {
    const sizes = storedSizes(this.#callText);
    for (const [key, bytes] of this.#written) sizes.set(key, bytes);
    return sizes;
  }

  /** Checks the body of an HTTP response. */
  response(body: Uint8Array): Refusal | undefined {
    const { responseBytes } = this.#rules;
    return body.byteLength > responseBytes
      ? `ResponseTooLargeError\nThe body of a response must be at most ${responseBytes} bytes, got ${body.byteLength}`
      : undefined;
  }

  /** Cuts a text to the limit of log records. */
  cut(text: string): string {
    return cutText(text, this.#rules.logRecordBytes);
  }
}
