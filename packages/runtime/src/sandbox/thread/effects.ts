import type { DedupeStrategy } from "../../model/model.ts";
import { sha256Hex } from "../../process/sha256.ts";
import { channelProblem } from "../channel.ts";
import { cutText } from "../../model/text-limits.ts";
import { parseGuestJson } from "./guest-json.ts";

/** Limits that hold at the moment an effect crosses the wall; the guest's own checks are a courtesy. */
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

/** What an emit says beside its payload. */
export interface EmitMeta {
  readonly id?: string;
  /** What was given as id, when it can tell no event from another (S35). */
  readonly unusableId?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly name?: string;
}

const mostMetaParts = 16;
/** In characters. */
const longestId = 4_096;

/** Reads what the prelude sends beside a payload; code that changes built-ins can make it send anything. */
export function readEmitMeta(text: string): EmitMeta {
  const given = parseGuestJson(text, mostMetaParts) as { readonly [field: string]: unknown };
  const { id, unusableId, summary, ts, name } = given;
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof unusableId === "string" && { unusableId: unusableId.slice(0, 64) }),
    ...(typeof summary === "string" && { summary }),
    ...(typeof ts === "number" && Number.isFinite(ts) && { ts }),
    ...(typeof name === "string" && { name }),
  };
}

/** What is kept of it. A longer id stands for itself by its hash, as it does where ids are remembered (G49). */
export function keptMeta(
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

/** A refusal crosses back as `Name\nmessage` and is thrown at the author's call. */
type Refusal = string;

/** Nesting depth of JSON text, without parsing it. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 93 || code === 125) depth--;
  }
  return deepest;
}

/** Beyond what values are in earnest: what is stored is read on the host's stack. */
const deepestDbValue = 1_024;

/** What is stored is parsed later, where a mistake would be the host's; a component may change what makes its JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
const refusedResult = (name: string, message: string): { name: string; message: string; stack: string } => ({
  name,
  message,
  stack: `${name}: ${message}`,
});
const decimalText = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** As many as are read as a number later. */
const numericChars = 1_000;
const isNumeric = (id: string): boolean => id.length <= numericChars && decimalText.test(id.trim());

function storedSizes(callText: string): Map<string, number> {
  const { db } = JSON.parse(callText) as { db: Record<string, string> };
  return new Map(Object.entries(db).map(([key, value]) => [key, bytesOf(key) + bytesOf(value)]));
}

/** The file holds UTF-8, in which keys that differ in such a half would be one. */
const halfKey = (key: string): string =>
  `A db key must be whole characters, got ${JSON.stringify(key.slice(0, 64))}, which has half of a surrogate pair`;

/** Counts and checks the effects of one call. */
export class EffectGate {
  readonly #rules: EffectRules;
  readonly #callText: string;
  /** At least the bytes of the db with this run's writes; exact sizes are looked up only when it nears the limit. */
  #dbUpperBytes: number;
  #dbSizes: Map<string, number> | undefined;
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

  /** `metaText` is what the event has beside its payload, as JSON text. */
  emit({ id, unusableId, name }: EmitMeta, payload: string, metaText: string): Refusal | undefined {
    const { dedupe, emitBytes, emitDepth, emitsPerRun, channelsPerRun, effectBytesPerRun } = this.#rules;
    if (dedupe && (id === undefined || id === "" || unusableId !== undefined)) {
      const got = unusableId === undefined ? "" : `, got ${unusableId}`;
      return `DedupeIdRequiredError\n$emit needs an id (a text that is not empty, or a finite number) because the component has dedupe "${dedupe}": this.$emit(event, { id })${got}`;
    }
    const channel = name === undefined ? undefined : channelProblem(name);
    if (channel !== undefined) return `EmitNameError\n$emit: ${channel}`;
    if (dedupe === "greatest" && !isNumeric(id ?? "")) {
      return `DedupeIdNotNumericError\n$emit needs a numeric id because the component has dedupe "greatest", got ${JSON.stringify(cutText(id ?? "", 64))}`;
    }
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

  /** Why what an entry answered cannot be taken; the limits of an event hold for it too. */
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
    return isJson(text) ? undefined : refusedResult("ResultError", `What ${entry} returned is not JSON`);
  }

  dbSet(key: string, value: string | undefined): Refusal | undefined {
    const { dbKeyBytes, dbValueBytes, dbBytes, effectBytesPerRun } = this.#rules;
    if (!key.isWellFormed()) return `TypeError\n${halfKey(key)}`;
    const keyBytes = bytesOf(key);
    if (keyBytes > dbKeyBytes)
      return `DbKeyTooLongError\nA db key must be at most ${dbKeyBytes} bytes, got ${keyBytes}`;
    const bytes = value === undefined ? 0 : bytesOf(value);
    if (bytes > dbValueBytes) {
      return `DbValueTooLargeError\nThe value of db key ${JSON.stringify(key)} must be at most ${dbValueBytes} bytes of JSON, got ${bytes}`;
    }
    if (value !== undefined && jsonDepth(value) > deepestDbValue)
      return `DbValueTooDeepError\nThe value of db key ${JSON.stringify(key)} must be nested at most ${deepestDbValue} levels deep`;
    if (value !== undefined && !isJson(value))
      return `DbValueError\nThe value of db key ${JSON.stringify(key)} is not JSON`;
    const size = value === undefined ? 0 : bytes + keyBytes;
    this.#dbUpperBytes += size;
    if (this.#dbUpperBytes > dbBytes) {
      const total = this.#exactDbBytes(key, size);
      if (total > dbBytes)
        return `DbTooLargeError\nThe db of a source must be at most ${dbBytes} bytes, this write makes it ${total}`;
    }
    this.#bytes += bytes + keyBytes;
    if (this.#bytes > effectBytesPerRun)
      return `DbTooLargeError\nA run may emit and store at most ${effectBytesPerRun} bytes`;
    this.#written.set(key, size);
    return undefined;
  }

  #exactDbBytes(key: string, size: number): number {
    this.#dbSizes ??= storedSizes(this.#callText);
    let total = 0;
    for (const bytes of new Map([...this.#dbSizes, ...this.#written, [key, size]]).values()) total += bytes;
    return total;
  }

  /** The body of an answer to a request. */
  response(body: Uint8Array): Refusal | undefined {
    const { responseBytes } = this.#rules;
    return body.byteLength > responseBytes
      ? `ResponseTooLargeError\nThe body of an answer must be at most ${responseBytes} bytes, got ${body.byteLength}`
      : undefined;
  }

  /** Cuts a text to the record limit. */
  cut(text: string): string {
    return cutText(text, this.#rules.logRecordBytes);
  }
}
