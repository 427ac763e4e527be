import {
  atOnce,
  mapInSteps,
  numericId,
  textHash,
  type DedupeReason,
  type DedupeState,
  type DedupeStrategy,
  type Steps,
} from "@x/model";

/** The fields of an emit that the rules read; `at` is the time of the call in epoch ms. */
export interface DedupeItem {
  readonly id?: string;
  readonly ts?: number;
  readonly at: number;
  readonly name?: string;
}

export interface Deduped<T> {
  readonly emit: T;
  readonly reason: DedupeReason;
}

export interface DedupeResult<T> {
  /** In the order in which they get event ids. */
  readonly kept: T[];
  readonly deduped: Deduped<T>[];
  /** Only the channels whose state changed. */
  readonly states: { [channel: string]: DedupeState };
  /** Channels with more distinct ids in this batch than the cache can hold. */
  readonly windowExceeded: string[];
}

interface ChannelResult {
  /** One per item, in this order; undefined: kept. */
  readonly reasons: (DedupeReason | undefined)[];
  /** The ids to cache, when they changed. */
  readonly ids?: string[];
  readonly exceeded?: boolean;
}

/** Not an option: cached ids must stay valid after a restart. */
const longestPlainId = 64;

/** The text of an id in the cache: its SHA-256 when it is long. */
const cacheKey = (id: string): string => (id.length > longestPlainId ? textHash(id) : id);

/** The state of a channel that remembers these ids, oldest first. */
export const dedupeState = (strategy: DedupeStrategy, ids: readonly string[], cacheSize: number): DedupeState =>
  strategy === "unique"
    ? { strategy, ids: ids.map(cacheKey).slice(-cacheSize) }
    : { strategy, ids: ids.slice(-1).map((id) => (strategy === "last" ? cacheKey(id) : id)) };

interface IdWindow {
  has(key: string): boolean;
  add(key: string): void;
}

/** For fewer ids, searching the list takes less time than building a set of it. */
const fewIds = 4;

/** The last `size` ids of a list, for so many questions; adding an id appends it to the list. */
function createWindow(order: string[], size: number, questions: number): IdWindow {
  const cached = questions <= fewIds ? undefined : new Set(order);
  return {
    has: (key) => (cached ? cached.has(key) : order.includes(key, Math.max(0, order.length - size))),
    add(key) {
      order.push(key);
      cached?.add(key);
      const oldest = order[order.length - size - 1];
      if (oldest !== undefined) cached?.delete(oldest);
    },
  };
}

/** First in, first out; a hit does not refresh. */
function* keepUnique(ids: readonly string[], previous: readonly string[], cacheSize: number): Steps<ChannelResult> {
  const order = previous.slice(-cacheSize);
  const cached = createWindow(order, cacheSize, ids.length);
  const inBatch = new Set<string>();
  const reasons = yield* mapInSteps(ids, (id): DedupeReason | undefined => {
    const key = cacheKey(id);
    const repeated = inBatch.has(key);
    inBatch.add(key);
    if (cached.has(key)) return repeated ? "repeated_in_run" : "duplicate";
    // Also when this batch has pushed the id out of the cache.
    if (repeated) return "repeated_in_run";
    cached.add(key);
    return undefined;
  });
  return {
    reasons,
    ...(reasons.includes(undefined) && { ids: order.slice(-cacheSize) }),
    exceeded: inBatch.size > cacheSize,
  };
}

/** Compares with the value cached before the batch, so that a newest-first list keeps all its new ids. */
function* keepGreatest(ids: readonly string[], previous: readonly string[]): Steps<ChannelResult> {
  const cachedText = previous[0];
  const cached = cachedText === undefined ? undefined : numericId(cachedText)?.value;
  const inBatch = new Set<string>();
  let greatest = cached;
  let greatestText: string | undefined;
  const reasons = yield* mapInSteps(ids, (id): DedupeReason | undefined => {
    const read = numericId(id);
    if (read === undefined) return "invalid_id";
    const { value, key } = read;
    if (cached !== undefined && value <= cached) return "not_greater";
    if (inBatch.has(key)) return "repeated_in_run";
    inBatch.add(key);
    if (greatest === undefined || value > greatest) {
      greatest = value;
      greatestText = id;
    }
    return undefined;
  });
  return { reasons, ...(greatestText !== undefined && { ids: [greatestText] }) };
}

/** Cuts everything up to and including the last occurrence of the cached id. */
function* keepAfterLast(ids: readonly string[], previous: readonly string[]): Steps<ChannelResult> {
  const keys = yield* mapInSteps(ids, cacheKey);
  const cached = previous[0];
  const cut = cached === undefined ? -1 : keys.lastIndexOf(cached);
  const newest = keys.at(-1);
  return {
    reasons: keys.map((_, index) => (index <= cut ? "not_after_last" : undefined)),
    ...(newest !== undefined && newest !== cached && { ids: [newest] }),
  };
}

const rules: {
  readonly [strategy in DedupeStrategy]: (
    ids: readonly string[],
    previous: readonly string[],
    cacheSize: number,
  ) => Steps<ChannelResult>;
} = { unique: keepUnique, greatest: keepGreatest, last: keepAfterLast };

const orderOf = (item: DedupeItem): number => (item.ts !== undefined && Number.isFinite(item.ts) ? item.ts : item.at);

/** Sorts the emits of one execution by time and drops duplicates. Each channel has its own state. */
export function* dedupeInSteps<T extends DedupeItem>(
  strategy: DedupeStrategy | undefined,
  states: { readonly [channel: string]: DedupeState },
  emits: readonly T[],
  options: { readonly cacheSize: number },
): Steps<DedupeResult<T>> {
  const sorted = emits.toSorted((a, b) => orderOf(a) - orderOf(b));
  if (strategy === undefined) return { kept: sorted, deduped: [], states: {}, windowExceeded: [] };

  const reasons: (DedupeReason | undefined)[] = sorted.map(() => undefined);
  const channels = new Map<string, { at: number; id: string }[]>();
  sorted.forEach((emit, at) => {
    if (emit.id === undefined) {
      reasons[at] = "invalid_id";
      return;
    }
    const channel = channels.get(emit.name ?? "");
    if (channel) channel.push({ at, id: emit.id });
    else channels.set(emit.name ?? "", [{ at, id: emit.id }]);
  });

  const changed: [string, DedupeState][] = [];
  const windowExceeded: string[] = [];
  for (const [channel, entries] of channels) {
    const state = Object.hasOwn(states, channel) ? states[channel] : undefined;
    const result = yield* rules[strategy](
      entries.map(({ id }) => id),
      state?.strategy === strategy ? state.ids : [],
      options.cacheSize,
    );
    entries.forEach(({ at }, index) => (reasons[at] = result.reasons[index]));
    if (result.ids) changed.push([channel, { strategy, ids: result.ids }]);
    if (result.exceeded) windowExceeded.push(channel);
    yield;
  }

  const kept: T[] = [];
  const deduped: Deduped<T>[] = [];
  sorted.forEach((emit, at) => {
    const reason = reasons[at];
    if (reason) deduped.push({ emit, reason });
    else kept.push(emit);
  });
  return { kept, deduped, states: Object.fromEntries(changed), windowExceeded };
}

/** `dedupeInSteps` without pauses. */
export const dedupe = <T extends DedupeItem>(...given: Parameters<typeof dedupeInSteps<T>>): DedupeResult<T> =>
  atOnce(dedupeInSteps(...given));
