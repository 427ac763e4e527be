/** Something a socket is free for. */
export interface Turn {
  readonly webhookId: string;
  readonly emitterId: string;
  /** Gives the socket back, once; says how the attempt went, if there was one. */
  release(succeeded?: boolean): void;
}

/** Shares sockets between webhooks in turn, so that one whose receiver hangs does not hold up the others. */
export interface Rotation {
  /** The lane waits for a socket; adding it again changes nothing. */
  add(webhookId: string, emitterId: string): void;
  /** The next lane that gets a socket; undefined when none is free or nobody may have one. */
  take(): Turn | undefined;
}

interface Share {
  readonly waiting: Set<string>;
  inUse: number;
  /** Sockets it may use at once: more with each success, one while it fails. */
  most: number;
  failing: boolean;
}

const firstShare = 4;

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
    const share = { waiting: new Set<string>(), inUse: 0, most: Math.min(firstShare, largestShare), failing: false };
    shares.set(webhookId, share);
    return share;
  };

  function turnOf(webhookId: string, emitterId: string, share: Share): Turn {
    const failing = share.failing;
    let held = true;
    share.inUse += 1;
    inUse += 1;
    if (failing) inUseFailing += 1;
    return {
      webhookId,
      emitterId,
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
    add(webhookId, emitterId) {
      shareOf(webhookId).waiting.add(emitterId);
      order.add(webhookId);
    },
    take() {
      if (inUse >= sockets) return undefined;
      for (const webhookId of order) {
        const share = shareOf(webhookId);
        if (share.inUse >= share.most || (share.failing && inUseFailing >= failingSockets)) continue;
        const [emitterId] = share.waiting;
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
