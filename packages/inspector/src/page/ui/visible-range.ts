interface Scrolled {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
  /** Rows beyond each edge. */
  readonly overscan: number;
}

/** The rows to render, from `first` to before `last`. */
export function visibleRange({ top, height, rowHeight, count, overscan }: Scrolled): { first: number; last: number } {
  const first = Math.min(count, Math.max(0, Math.floor(top / rowHeight) - overscan));
  const last = Math.max(first, Math.min(count, Math.ceil((top + height) / rowHeight) + overscan));
  return { first, last };
}
