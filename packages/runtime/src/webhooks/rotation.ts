import { boundedCache } from "@x/model";

/** A lane that has got a socket. */
export interface Turn {
  readonly webhookId: string;
  readonly emitterId: string;
  /** It exceeds the number of sockets, which are all in use; for small deliveries only. */
  readonly isSpare: boolean;
  /** Returns the socket; later calls do nothing. `succeeded`: the result of the attempt; undefined: none was made. */
  release(succeeded?: boolean): void;
}

/** Shares sockets between webhooks in turn, so that a receiver that hangs does not delay other webhooks. */
export interface Rotation {
  /** The lane waits for a socket; adding it twice changes nothing. `isLarge`: it gets no spare socket. */
  add(webhookId: string, emitterId: string, isLarge?: boolean): void;
  /** The lanes of these emitters wait no longer. */
  forget(has: (emitterId: string) => boolean): void;
  /** The next lane that gets a socket; undefined when no socket is free or no lane may have one. */
  take(): Turn | undefined;
}

interface Share {
  /** By emitter; true: its next delivery is large. */
  readonly waiting: Map<string, boolean>;
  inUse: number;
  /** Sockets it may use at once: one more after each success, one while it fails. */
  most: number;
  failing: boolean;
}

const firstShare = 4;
/** Idle webhooks of which it is known that they fail: most that were deleted never succeed again. */
const rememberedFailures = 10_000;
/** A webhook without an attempt under way gets a spare socket, up to this multiple of the sockets. */
const spareFactor = 4;

function firstOf(waiting: Share["waiting"], onlySmall: boolean): string | undefined {
  for (const [emitterId, isLarge] of waiting) if (!onlySmall || !isLarge) return emitterId;
  return undefined;
}

export function createRotation(sockets: number): Rotation {
  const largestShare = Math.max(1, Math.floor(sockets / 4));
  const failingSockets = Math.max(1, Math.floor(sockets / 4));
  /** Of webhooks that wait or have an attempt under way. */
  const shares = new Map<string, Share>();
  const failed = boundedCache<true>(rememberedFailures);
  /** Webhooks with waiting lanes, in the order of their turns. */
  const order = new Set<string>();
  let inUse = 0;
  let inUseFailing = 0;

  const shareOf = (webhookId: string): Share => {
    const known = shares.get(webhookId);
    if (known) return known;
    const failing = failed.get(webhookId) ?? false;
    const most = failing ? 1 : Math.min(firstShare, largestShare);
    const share = { waiting: new Map<string, boolean>(), inUse: 0, most, failing };
    shares.set(webhookId, share);
    return share;
  };

  function turnOf(webhookId: string, emitterId: string, share: Share): Turn {
    const isSpare = inUse >= sockets;
    const failing = share.failing;
    let held = true;
    share.inUse += 1;
    inUse += 1;
    if (failing) inUseFailing += 1;
    return {
      webhookId,
      emitterId,
      isSpare,
      release(succeeded) {
        if (!held) return;
        held = false;
        share.inUse -= 1;
        inUse -= 1;
        if (failing) inUseFailing -= 1;
        if (succeeded !== undefined) {
          share.failing = !succeeded;
          share.most = succeeded ? Math.min(largestShare, share.most + 1) : 1;
          if (succeeded) failed.delete(webhookId);
          else failed.set(webhookId, true);
        }
        if (share.inUse === 0 && share.waiting.size === 0) shares.delete(webhookId);
      },
    };
  }

  return {
    add(webhookId, emitterId, isLarge = false) {
      shareOf(webhookId).waiting.set(emitterId, isLarge);
      order.add(webhookId);
    },
    forget(has) {
      for (const [webhookId, share] of shares) {
        for (const emitterId of share.waiting.keys()) if (has(emitterId)) share.waiting.delete(emitterId);
        if (share.waiting.size > 0) continue;
        order.delete(webhookId);
        if (share.inUse === 0) shares.delete(webhookId);
      }
    },
    take() {
      if (inUse >= sockets * spareFactor) return undefined;
      for (const webhookId of order) {
        const share = shareOf(webhookId);
        if (inUse >= sockets && (share.inUse > 0 || share.failing)) continue;
        if (share.inUse >= share.most || (share.failing && inUseFailing >= failingSockets)) continue;
        const emitterId = firstOf(share.waiting, inUse >= sockets);
        if (emitterId === undefined && share.waiting.size > 0) continue;
        order.delete(webhookId);
        if (emitterId === undefined) continue;
        share.waiting.delete(emitterId);
        if (share.waiting.size > 0) order.add(webhookId);
        return turnOf(webhookId, emitterId, share);
      }
      return undefined;
    },
  };
}
