import type { Peer } from "./peers.ts";

/** For how long each node has been seen to take part, in ms. */
export interface Ages {
  note(peers: readonly Pick<Peer, "id" | "joined">[], now: number): void;
  /** 0 for a node that has not been seen. */
  of(id: string, now: number): number;
}

export function createAges(): Ages {
  let since = new Map<string, number>();
  return {
    note(peers, now) {
      since = new Map(peers.flatMap(({ id, joined }) => (joined ? [[id, since.get(id) ?? now]] : [])));
    },
    of: (id, now) => now - (since.get(id) ?? now),
  };
}
