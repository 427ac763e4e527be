/** A slot's node, if any. */
export type Holder = string | null;

/** How many slots each node gets: the same, or one more for those that hold the most. */
function quotas(nodes: readonly string[], held: ReadonlyMap<string, number>, slots: number): Map<string, number> {
  const ordered = nodes.toSorted((a, b) => (held.get(b) ?? 0) - (held.get(a) ?? 0) || (a < b ? -1 : 1));
  const [base, extra] = [Math.floor(slots / nodes.length), slots % nodes.length];
  return new Map(ordered.map((node, index) => [node, index < extra ? base + 1 : base]));
}

/** The node to which each slot is assigned: as many as every other node, and as few moves as possible from `current`. */
export function assignSlots(nodes: readonly string[], current: readonly Holder[]): readonly Holder[] {
  if (nodes.length === 0) return current.map(() => null);
  const held = new Map(nodes.map((node) => [node, 0]));
  for (const holder of current) {
    const count = holder === null ? undefined : held.get(holder);
    if (holder !== null && count !== undefined) held.set(holder, count + 1);
  }
  const left = quotas(nodes, held, current.length);
  const take = (node: string): boolean => {
    const count = left.get(node) ?? 0;
    if (count > 0) left.set(node, count - 1);
    return count > 0;
  };
  const kept = current.map((holder) => (holder !== null && take(holder) ? holder : null));
  const waiting = nodes.flatMap((node) => Array.from({ length: left.get(node) ?? 0 }, () => node));
  return kept.map((holder) => holder ?? waiting.pop() ?? null);
}
