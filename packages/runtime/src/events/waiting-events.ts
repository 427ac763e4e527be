import type { CommittedEvent } from "./committed-event.ts";

/** Most characters of JSON that wait for all listeners together, and per user. */
export interface WaitingLimits {
  readonly chars: number;
  readonly charsPerUser: number;
}

/** The events that listeners have not read yet. An event counts once, because its listeners share it. */
export interface WaitingEvents {
  add(event: CommittedEvent): void;
  remove(event: CommittedEvent): void;
  /** True when a limit is exceeded, that of this user or that of all. */
  isOverLimit(userId: string): boolean;
}

export function createWaitingEvents({ chars, charsPerUser }: WaitingLimits): WaitingEvents {
  const uses = new Map<CommittedEvent, number>();
  const ofUsers = new Map<string, number>();
  let all = 0;

  function count({ event, source: { userId } }: CommittedEvent, sign: 1 | -1): void {
    const length = sign * event.payload.length;
    all += length;
    const ofUser = (ofUsers.get(userId) ?? 0) + length;
    if (ofUser > 0) ofUsers.set(userId, ofUser);
    else ofUsers.delete(userId);
  }

  return {
    add(event) {
      const used = uses.get(event) ?? 0;
      uses.set(event, used + 1);
      if (used === 0) count(event, 1);
    },
    remove(event) {
      const used = uses.get(event) ?? 0;
      if (used > 1) uses.set(event, used - 1);
      else if (uses.delete(event)) count(event, -1);
    },
    isOverLimit: (userId) => all > chars || (ofUsers.get(userId) ?? 0) > charsPerUser,
  };
}
