/** Limits the bytes of events in running calls: a run has several copies of its event, here and in its thread. */
export interface RunAdmission {
  /** Resolves when there is room for an event, with a function that frees the room. */
  enter(userId: string, bytes: number): Promise<() => void>;
}

export interface AdmissionLimits {
  readonly ofUser: number;
  readonly all: number;
}

const defaultLimits: AdmissionLimits = { ofUser: 16 * 1024 * 1024, all: 32 * 1024 * 1024 };

/** Events up to this size are not counted. */
const smallBytes = 16 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

/** An event larger than the limit runs when it is the only one. */
const fits = (held: number, bytes: number, most: number): boolean => held === 0 || held + bytes <= most;

export function createRunAdmission(limits: AdmissionLimits = defaultLimits): RunAdmission {
  const held = new Map<string, number>();
  /** Users by how long ago they were served, longest first; events of a user by arrival. */
  const queues = new Map<string, Waiting[]>();
  let all = 0;

  const mayEnter = (userId: string, bytes: number): boolean =>
    fits(held.get(userId) ?? 0, bytes, limits.ofUser) && fits(all, bytes, limits.all);

  function take(userId: string, bytes: number): () => void {
    held.set(userId, (held.get(userId) ?? 0) + bytes);
    all += bytes;
    return () => {
      const left = (held.get(userId) ?? 0) - bytes;
      if (left > 0) held.set(userId, left);
      else held.delete(userId);
      all -= bytes;
      admitWaiting();
    };
  }

  /** Admits the next event of the first user whose event fits; the user moves to the end. */
  function admitNext(): boolean {
    for (const [userId, queue] of queues) {
      const [next] = queue;
      if (!next || !mayEnter(userId, next.bytes)) continue;
      queue.shift();
      queues.delete(userId);
      if (queue.length > 0) queues.set(userId, queue);
      next.admit();
      return true;
    }
    return false;
  }

  /** One event that leaves may make room for several. */
  function admitWaiting(): void {
    while (admitNext());
  }

  return {
    async enter(userId, bytes) {
      if (bytes <= smallBytes) return () => undefined;
      const queue = queues.get(userId);
      if (!queue && mayEnter(userId, bytes)) return take(userId, bytes);
      return new Promise((resolve) => {
        const waiting = { bytes, admit: () => resolve(take(userId, bytes)) };
        if (queue) queue.push(waiting);
        else queues.set(userId, [waiting]);
      });
    },
  };
}
