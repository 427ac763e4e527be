/** What a look at the disk tells; `otherwise` when what is looked at is gone, or just going away, or not ours to see. */
export function unlessGone<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
