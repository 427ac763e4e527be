import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

import { defaults } from "@x/model";
import { LRUCache } from "lru-cache";

import type { DbChange } from "../contract.ts";
import { readCounters } from "./counters.ts";
import { createMachineLoader } from "../machine/quickjs-machine.ts";
import { openEngine } from "../machine/engine.ts";
import { createMachinePool } from "../machine/machine-pool.ts";
import { extendOthers } from "./call-timers.ts";
import { GuestCall } from "./guest-call.ts";
import { imageSize } from "../machine/image.ts";
import { capturePackedImage, packImage, unpackImage } from "../machine/packed-image.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { joinSharedClock, sharedNow } from "./shared-clock.ts";
import { type BootData, type SandboxCallMessage, type ThreadData, ticketState, type ToWorker } from "./messages.ts";
import { type CachedModule, createModuleMachines } from "./module-machines.ts";
import { createThreadSender } from "./journal.ts";
import { collectGarbage, countDroppedMachine } from "../machine/native-garbage.ts";
import { startTimer } from "../pool/watchdog.ts";
import { createRest } from "./rest.ts";
import { createStarts } from "./starts.ts";

/** The thread that runs guest code: receives calls, caches machines and images, reports effects as they happen. */

const port = parentPort;
if (!port) throw new Error("This module runs in a worker thread");
/** Limit of the images, and of the warm machines, that the thread caches, in bytes each. */
const idleBytes = 64 * 1024 * 1024;
const boot = workerData as BootData;
const engine = boot.engine ?? (await openEngine(boot.files));
const machinePool = await createMachinePool(await createMachineLoader(engine.code), {
  base: engine.base,
  warmBytes: idleBytes,
  memoryBytes: boot.memoryBytes ?? defaults.memoryBytes,
  spares: 1,
});

const [data] = (await once(port, "message")) as [ThreadData];
joinSharedClock(data.clock);
const tickets = new Int32Array(data.tickets);
const beat = createHeartbeat(data.heartbeat);
const calls = new Map<number, GuestCall>();
const waiting = new Map<string, SandboxCallMessage[]>();
/** The calls that have not begun, with what others have changed in their db since they were posted. */
const early = new Map<number, DbChange[]>();
const bundles = new LRUCache<string, CachedModule>({
  maxSize: idleBytes,
  sizeCalculation: ({ code, image }) => 1024 + code.length + (image ? imageSize(image) : 0),
});
const sender = createThreadSender(port, data.journal, sharedNow);
const { post } = sender;
const machines = createModuleMachines({
  machinePool,
  beat,
  // Without a restart: every call starts from the image, so the counts of the evaluation belong to it.
  described: (machine) => reportCounters(machine, false),
  reclaim: countDroppedMachine,
});
/** A bundle that was not used for so long costs a message and unpacking its image when it runs again. */
const restMs = 10_000;
const rest = createRest<string>({
  later: (work) => void startTimer(work, restMs),
  isBusy: () => calls.size > 0,
  release(used) {
    for (const hash of bundles.keys()) if (!used.has(hash)) bundles.delete(hash);
    machinePool.trim();
    return bundles.size > 0;
  },
  collect: collectGarbage,
});
const starts = createStarts<readonly [SandboxCallMessage, CachedModule]>({
  start: ([message, bundle]) => startCall(message, bundle),
  paused: () => (starts.isEmpty ? sender.flush() : sender.flushHeld()),
});
const claim = (ticket: number): boolean =>
  Atomics.compareExchange(tickets, ticket, ticketState.waiting, ticketState.taken) === ticketState.waiting;
const isWithdrawn = (ticket: number): boolean => Atomics.load(tickets, ticket) === ticketState.withdrawn;

/** Posts the counters of instrumented code. */
function reportCounters(machine: GuestMachine, restart: boolean): void {
  const counted = data.instrumented ? readCounters(machine, restart) : undefined;
  if (counted !== undefined) post({ k: "counters", id: 0, counted });
}

async function onDescribe(message: Extract<ToWorker, { k: "describe" }>): Promise<void> {
  if (!claim(message.ticket)) return;
  rest.used("");
  const { id, code, limits } = message;
  const { json, error, capture } = await machines.describe(id, code, limits, capturePackedImage);
  post({ k: "described", id, json, error });
  post({ k: "captured", id, image: capture() });
}

/** Starts the call, or asks for its bundle first. */
function onCall(message: SandboxCallMessage): void {
  rest.used(message.hash);
  const bundle = bundles.get(message.hash);
  if (bundle) {
    starts.add([message, bundle]);
    return;
  }
  const queue = waiting.get(message.hash);
  if (queue) queue.push(message);
  else {
    waiting.set(message.hash, [message]);
    post({ k: "need", hash: message.hash });
  }
}

function onBundle({ hash, image: packed, code }: Extract<ToWorker, { k: "bundle" }>): void {
  const queue = waiting.get(hash) ?? [];
  waiting.delete(hash);
  if (code === undefined) {
    // Calls that came after the withdrawn one ask for the bundle again.
    for (const message of queue)
      if (isWithdrawn(message.ticket)) early.delete(message.id);
      else onCall(message);
    return;
  }
  const image = packed && unpackImage(packed, machinePool.base);
  bundles.set(hash, { image, code });
  for (const message of queue) starts.add([message, { image, code }]);
}

async function startCall(message: SandboxCallMessage, bundle: CachedModule): Promise<void> {
  try {
    await openAndStart(message, bundle);
  } finally {
    early.delete(message.id);
  }
}

async function openAndStart(message: SandboxCallMessage, bundle: CachedModule): Promise<void> {
  if (isWithdrawn(message.ticket)) return;
  const opened = await machines.open(message, bundle);
  if ("end" in opened) {
    post({ k: "end", id: message.id, end: opened.end });
    return;
  }
  const { machine, spentMs, image } = opened;
  if (image) {
    bundles.set(message.hash, { image, code: bundle.code });
    post({ k: "image", hash: message.hash, image: packImage(image, machinePool.base) });
  }
  // As late as possible: until here the scheduler may move the call to another thread.
  if (!claim(message.ticket)) {
    opened.close(true, false);
    return;
  }
  let isRepeatable = true;
  const call = new GuestCall(
    message,
    machine,
    beat,
    {
      effect: sender.effect,
      post(posted, transfer) {
        isRepeatable = false;
        post(posted, transfer);
      },
      flush: sender.flush,
      left: (left) => reportCounters(left, true),
      ended(end, clean) {
        calls.delete(message.id);
        opened.close(clean, true);
        // If this thread is ended before the held end is posted, the call starts over: nobody has seen anything of it.
        const send = isRepeatable && !starts.isEmpty ? sender.hold : post;
        send({ k: "end", id: message.id, end });
      },
      busy: (busyCall, ms) => extendOthers(calls.values(), busyCall, ms),
    },
    { ...data.rules, dedupe: message.dedupe },
    { code: bundle.code, spentMs },
  );
  calls.set(message.id, call);
  call.start();
  const changes = early.get(message.id) ?? [];
  if (changes.length > 0) call.changeDb(changes);
}

function receive(message: ToWorker): void {
  switch (message.k) {
    case "call":
      early.set(message.id, []);
      onCall(message);
      break;
    case "describe":
      void onDescribe(message);
      break;
    case "bundle":
      onBundle(message);
      break;
    case "drop":
      calls.get(message.id)?.drop();
      calls.delete(message.id);
      break;
    case "reply": {
      const call = calls.get(message.id);
      if (!call) break;
      const { reply } = message;
      call.settle(message.fetchId, reply && { ...reply, body: undefined }, reply?.body, message.error);
      break;
    }
    case "dbChanged": {
      const call = calls.get(message.id);
      if (call) call.changeDb(message.changes);
      else early.get(message.id)?.push(...message.changes);
      break;
    }
    case "released":
      calls.get(message.id)?.fetches.released(message.fetchId);
      break;
  }
}

port.on("message", (batch: readonly ToWorker[]) => {
  for (const message of batch) receive(message);
});

post({ k: "ready", engine: boot.engine ? undefined : { ...engine, base: machinePool.base } });
