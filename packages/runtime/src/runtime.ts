import { resolve } from "node:path";

import type { Runtime } from "./api/runtime-api.ts";
import { assemble } from "./assembly.ts";
import { createMemoryStore, openSealedStore, openSqliteStore, parseSecretKey, type Store } from "@x/store";
import { checkOptions } from "./api/option-rules.ts";
import { XError, toLogger } from "@x/model";
import { checkGiven } from "./api/input-rules.ts";
import * as inputRules from "./api/input-rules.ts";
import type { LiveEvent, RuntimeEventsFilter } from "./api/events-api.ts";
import { type RuntimeOptions, runtimeLimits } from "./api/options.ts";
import { checkRegistry } from "@x/components";
import * as answers from "./http/answer.ts";
import type { UserRuntime } from "./api/user-api.ts";
import { onlyNode } from "./nodes/only-node.ts";
import { type SharedRuntime, shareRuntime } from "./nodes/shared-runtime.ts";
import { beginRequestSpan } from "./observe/request-span.ts";
import { type Acting, createUserRuntime, listenToEvents, savedComponent } from "./user-runtime.ts";

const defaultDrainMs = 10_000;

/**
 * Creates a runtime. Timers and deliveries begin with `start()`. Opens no port.
 * Rejects with `invalid_options`, with `store_locked`, `store_corrupt`, `store_version`, `store_failed`, or with
 * `secret_key_wrong`, `secret_key_missing`, `secret_key_unreadable`.
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { secretKey } = options;
  checkOptions(options);
  runtimeLimits(options);
  if (secretKey !== undefined) parseSecretKey(secretKey);
  checkStores(options);
  checkRegistry(options.registry);
  const opened = await openStore(options);
  try {
    const folder = sealedPlace(options);
    const store =
      folder === undefined
        ? opened
        : await openSealedStore(opened, { folder, secretKey, logger: toLogger(options.logger) });
    return await assembleRuntime(options, store);
  } catch (error) {
    // Otherwise the folder or the schema would stay locked.
    await opened.close().catch(() => undefined);
    throw error;
  }
}

/** One place holds the data. A given store has no folder for a key file. */
function checkStores({ data, memory, store, secretKey }: RuntimeOptions): void {
  if (memory && data !== undefined) throw new XError("invalid_options", ["memory", "absent beside data", "both"]);
  if (!store) return;
  const other = data === undefined ? memory && "memory" : "data";
  if (other) throw new XError("invalid_options", ["store", `absent beside ${other}`, "both"]);
  const expected = "32 bytes in hex or base64, or a passphrase of at least 12 characters, because of the option store";
  if (secretKey === undefined) throw new XError("invalid_options", ["secretKey", expected, "nothing"]);
}

const openStore = async ({ data, memory, store }: RuntimeOptions): Promise<Store> =>
  data === undefined ? (store ?? memory?.open() ?? createMemoryStore()) : openSqliteStore({ folder: data });

/** Where secrets are encrypted, for messages and the key file; undefined for records in memory, which are not. */
const sealedPlace = ({ data, store }: RuntimeOptions): string | undefined =>
  data === undefined ? store && "the given store" : resolve(data);

/** Internal: a runtime over an open store, which it closes. */
export async function assembleRuntime(options: RuntimeOptions, opened: Store): Promise<Runtime> {
  const parts = await assemble(options, opened);
  const { store, users, components } = parts;

  let closed: Promise<void> | undefined;
  const open = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const since = parts.clock.now();
  const acting = (userId: () => string, extraChanges?: Acting["extraChanges"]): UserRuntime =>
    createUserRuntime(parts, { open, userId, ...(extraChanges && { extraChanges }) });
  const shared: SharedRuntime = parts.node
    ? shareRuntime(parts.node, { users, open, acting })
    : { changing: users, acting, nodes: async () => [await onlyNode({ ...parts, since })] };
  const { changing, peers } = shared;
  const own = shared.acting(() => users.first.id);
  if (!users.isSettled) await changing.settle(options.apiKey);

  const unfollow = options.clock?.follow?.(parts.idle);
  const runtime: Runtime = {
    ...own,
    firstUserId: users.first.id,
    failed: store.failed,
    async start() {
      open();
      await parts.start();
    },
    async close(given = {}) {
      checkGiven(inputRules.closing, given);
      unfollow?.();
      await (closed ??= parts.close(given.drainMs ?? defaultDrainMs));
    },
    [Symbol.asyncDispose]: () => runtime.close(),
    as(userId) {
      const acting: unknown = userId;
      if (typeof acting !== "string")
        throw new XError("invalid_parameter", ["userId", "the id of a user", typeof acting]);
      return shared.acting(() => users.existing(userId).id);
    },
    authenticate: (apiKey) => Promise.resolve(users.authenticate(apiKey)),
    users: async () => users.list().map(({ apiKey: _key, ...entry }) => entry),
    async addUser(input) {
      open();
      checkGiven(inputRules.user, input);
      return changing.add(input);
    },
    async rotateApiKey(userIdOrName) {
      open();
      return changing.rotateKey(userIdOrName);
    },
    registryComponent: async (key) => savedComponent(parts, await components.findShared(key)),
    registryList: () => parts.registry.list(),
    registry: async () => parts.registry.items(),
    async publish(input) {
      open();
      checkGiven(inputRules.publication, input);
      return parts.publish(input);
    },
    async request(endpoint, request) {
      checkGiven(inputRules.endpointRequest, request);
      if (closed) return answers.statusAnswer(503, { retryAfterSeconds: 1 });
      return parts.answer(endpoint.slice(endpoint.lastIndexOf("/") + 1), request);
    },
    async answerConnection(url) {
      open();
      return parts.connections.complete(url, undefined);
    },
    events<Payload>(filter: RuntimeEventsFilter = {}) {
      checkGiven(inputRules.runtimeEventsFilter, filter);
      const { everyUser, ...ofOne } = filter;
      const events = everyUser ? listenToEvents(parts, filter, users.first.id, "all") : own.events(ofOne);
      return events as AsyncIterableIterator<LiveEvent<Payload>>;
    },
    working: (work) => parts.working(work),
    beginSpan: (name, options) => beginRequestSpan(parts.tracing, name, options),
    async stats() {
      open();
      return parts.stats();
    },
    ...(peers && { peers }),
    async nodes() {
      open();
      return shared.nodes();
    },
    idle: parts.idle,
  };
  return runtime;
}
