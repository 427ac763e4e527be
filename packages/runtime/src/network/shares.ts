/** The sender of a request. */
export interface Sender {
  /** Absent for requests outside of a source, such as those of `options`. */
  readonly sourceId?: string;
  readonly userId: string;
}

export interface ShareLimits {
  /** Concurrent requests: in all, of one user, of one source, and of one source to one origin. */
  readonly all: number;
  readonly user: number;
  readonly source: number;
  readonly origin: number;
}

/** Requests of one sender that hang must not block others. */
const defaultLimits: ShareLimits = { all: 512, user: 256, source: 64, origin: 32 };

/** Divides connections among sources and users. */
export interface Shares {
  /** Waits for a connection; resolves with the function that returns it. Rejects with the reason of the signal. */
  enter(sender: Sender, origin: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly sender: Sender;
  readonly origin: string;
  go(): void;
}

/** Creates the shares of a process. The waiting sender whose user and source use the fewest connections goes first. */
export function createShares(limits: ShareLimits = defaultLimits): Shares {
  const used = new Map<string, number>();
  const waiting = new Set<Waiting>();
  const of = (key: string): number => used.get(key) ?? 0;

  const sourceKey = ({ sourceId, userId }: Sender): string => `source ${sourceId ?? userId}`;
  const keysOf = (sender: Sender, origin: string): readonly (readonly [string, number])[] => [
    ["", limits.all],
    [`user ${sender.userId}`, limits.user],
    [sourceKey(sender), limits.source],
    [`${sourceKey(sender)} ${origin}`, limits.origin],
  ];
  const hasRoom = ({ sender, origin }: Pick<Waiting, "sender" | "origin">): boolean =>
    keysOf(sender, origin).every(([key, most]) => of(key) < most);

  function count(sender: Sender, origin: string, change: 1 | -1): void {
    for (const [key] of keysOf(sender, origin)) {
      const left = of(key) + change;
      if (left > 0) used.set(key, left);
      else used.delete(key);
    }
  }

  function next(): Waiting | undefined {
    let first: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const each of waiting) {
      const has = of(`user ${each.sender.userId}`) * limits.all + of(sourceKey(each.sender));
      if (has >= least || !hasRoom(each)) continue;
      first = each;
      least = has;
    }
    return first;
  }

  function take(sender: Sender, origin: string): () => void {
    let held = true;
    count(sender, origin, 1);
    return () => {
      if (!held) return;
      held = false;
      count(sender, origin, -1);
      const following = next();
      if (!following) return;
      waiting.delete(following);
      following.go();
    };
  }

  return {
    enter(sender, origin, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (hasRoom({ sender, origin })) return Promise.resolve(take(sender, origin));
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(turn);
          reject(signal.reason as Error);
        };
        const turn: Waiting = {
          sender,
          origin,
          go() {
            signal.removeEventListener("abort", leave);
            resolve(take(sender, origin));
          },
        };
        waiting.add(turn);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
