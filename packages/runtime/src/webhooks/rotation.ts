/** Something a socket is free for. */
export interface Turn {
  readonly webhookId: string;
  readonly emitterId: string;
  /** It is beyond the sockets, which others hold: for small deliveries alone. */
  readonly isSpare: boolean;
  /** Gives the socket back, once; says how the attempt went, if there was one. */
  release(succeeded?: boolean): void;
}

/** Shares sockets between webhooks in turn, so that one whose receiver hangs does not hold up the others. */
export interface Rotation {
  /** The lane waits for a socket; adding it again changes nothing. `isLarge`: for no spare one. */
  add(webhookId: string, emitterId: string, isLarge?: boolean): void;
  /** The next lane that gets a socket; undefined when none is free or nobody may have one. */
  take(): Turn | undefined;
}

interface Share {
  /** Emitters; true: with a large delivery. */
  readonly waiting: Map<string, boolean>;
  inUse: number;
  /** Sockets it may use at once: more with each success, one while it fails. */
  most: number;
  failing: boolean;
}

const firstShare = 4;
/** So many times the sockets are there for webhooks that have no attempt under way: they do not wait for others that hang. */
const spare = 4;

function firstOf(waiting: Share["waiting"], onlySmall: boolean): string | undefined {
  for (const [emitterId, isLarge] of waiting) if (!onlySmall || !isLarge) return emitterId;
  return undefined;
}

export function createRotation(sockets: number): Rotation {
  const largestShare = Math.max(1, Math.floor(sockets / 4));
  const failingSockets = Math.max(1, Math.floor(sockets / 4));
  const shares = new Map<string, Share>();
  /** Webhooks with lanes that wait, in the order of their turns. */
  const order = new Set<string>();
  let inUse = 0;
  let inUseFailing = 0;

  const shareOf = (webhookId: string): Share => {
    const known = shares.get(webhookId);
    if (known) return known;
    const share = {
      waiting: new Map<string, boolean>(),
      inUse: 0,
      most: Math.min(firstShare, largestShare),
      failing: false,
    };
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
        }
        // Of a webhook that does well and has nothing to do, nothing needs to be known.
        if (share.inUse === 0 && share.waiting.size === 0 && !share.failing) shares.delete(webhookId);
      },
    };
  }

  return {
    add(webhookId, emitterId, isLarge = false) {
      shareOf(webhookId).waiting.set(emitterId, isLarge);
      order.add(webhookId);
    },
    take() {
      if (inUse >= sockets * spare) return undefined;
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
