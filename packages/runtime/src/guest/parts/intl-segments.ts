interface Segment {
  readonly segment: string;
  readonly index: number;
  readonly isWordLike?: boolean;
}

/** What `Intl.Segmenter`'s `segment` gives: the host has cut the whole text. */
export function createSegments(input: string, found: readonly Segment[]): object {
  const shown = ({ segment, index, ...rest }: Segment): object => ({ segment, index, input, ...rest });
  return {
    containing(given?: unknown) {
      const index = Math.trunc(Number(given)) || 0;
      const segment = found.find((each) => index >= each.index && index < each.index + each.segment.length);
      return segment && shown(segment);
    },
    *[Symbol.iterator]() {
      for (const segment of found) yield shown(segment);
    },
  };
}
