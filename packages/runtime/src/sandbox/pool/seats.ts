import { sharedNow } from "../thread/heartbeat.ts";
import type { BaseImage } from "../machine/image.ts";
import type { WorkerSeat } from "../thread/messages.ts";
import { createSeat, type Seat, type SeatEvents } from "./seat.ts";
import { afterFirstCalm, afterRest, hogMs } from "./watchdog.ts";

/** After so many threads in a row that did not boot, none will. */
const maxBootFailures = 3;

export interface SeatsOptions {
  /** Threads in calm times, and at the most. */
  readonly usual: number;
  readonly most: number;
  readonly data: Omit<WorkerSeat, "heartbeat" | "journal" | "base">;
  /** The image of the prelude; without one, the first thread that boots makes it for the others. */
  readonly base: BaseImage | undefined;
  readonly events: SeatEvents;
}

/** The threads of a pool: more than usual while those are kept busy, and one in reserve. */
export interface Seats {
  readonly used: ReadonlySet<Seat>;
  readonly most: number;
  /** How many there are that can do something, the one in reserve included. */
  ready(): number;
  /** Starts the usual threads. */
  warm(): void;
  /** One more while there are fewer than there may be at the most; they boot one after another. */
  addIfRoom(): Seat | undefined;
  booted(seat: Seat, base: BaseImage | undefined): void;
  /** A call has ended. Threads beyond the usual number that were not needed for some seconds leave, or stay in reserve. */
  rest(): void;
  /** Forgets a thread that is gone. False: threads do not boot. */
  lose(seat: Seat): boolean;
  /** Starts what is missing of the usual threads and of the reserve. */
  refill(): void;
  close(): Promise<void>;
}

/** Has the thread been in guest code for long, so that new calls go elsewhere? */
export function isHogged(seat: Seat): boolean {
  const { callId, enteredAt } = seat.beat.read();
  return callId !== 0 && sharedNow() - enteredAt > hogMs;
}

export function createSeats({ usual, most, data, base: given, events }: SeatsOptions): Seats {
  const used = new Set<Seat>();
  let base = given;
  let bootFailures = 0;
  let closing = false;
  /** So that the first call to be moved away from a busy thread need not wait for a start. */
  let spare: Seat | undefined;
  let cancelReserve: (() => void) | undefined;
  /** How many were busy at once since threads last left. */
  let mostBusy = 0;
  let cancelRest: (() => void) | undefined;

  const boot = (): Seat => createSeat({ ...data, base }, events);

  function restOne(seat: Seat): void {
    used.delete(seat);
    if (spare) {
      seat.closed = true;
      seat.cleared = true;
      void seat.terminate();
    } else spare = seat;
  }

  const countBusy = (): number => [...used].filter(({ calls }) => calls.size > 0).length;

  /** Keeps as many as were busy at once since the last time. A thread that ends and starts again for each pair of calls costs more. */
  function restSome(): void {
    cancelRest = undefined;
    if (closing) return;
    const needed = Math.max(usual, mostBusy);
    mostBusy = countBusy();
    if (![...used].some(isHogged))
      for (const seat of used) if (used.size > needed && seat.calls.size === 0 && !seat.closed) restOne(seat);
    if (used.size > usual) cancelRest = afterRest(restSome);
  }

  function reserve(): void {
    if (!closing && used.size <= usual) spare ??= boot();
  }

  function add(): Seat {
    const seat = spare ?? boot();
    spare = undefined;
    used.add(seat);
    return seat;
  }

  function warm(): void {
    if (closing) return;
    while (used.size < usual) add();
  }

  return {
    used,
    most,
    ready: () => [...used, ...(spare ? [spare] : [])].filter((seat) => seat.ready && !seat.closed).length,
    warm,
    addIfRoom() {
      const isBooting = [...used].some((seat) => !seat.ready && !seat.closed);
      return used.size < most && !isBooting ? add() : undefined;
    },
    booted(seat, made) {
      seat.ready = true;
      bootFailures = 0;
      base ??= made;
      cancelReserve ??= afterFirstCalm(reserve);
    },
    rest() {
      if (closing || used.size <= usual) return;
      mostBusy = Math.max(mostBusy, countBusy() + 1);
      cancelRest ??= afterRest(restSome);
    },
    lose(seat) {
      used.delete(seat);
      if (spare === seat) spare = undefined;
      if (!seat.ready && !seat.cleared) bootFailures += 1;
      return bootFailures < maxBootFailures;
    },
    refill() {
      if (closing) return;
      warm();
      reserve();
    },
    async close() {
      closing = true;
      cancelReserve?.();
      cancelRest?.();
      await Promise.all([...used, ...(spare ? [spare] : [])].map((seat) => seat.terminate()));
    },
  };
}
