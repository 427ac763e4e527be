/** `{data: …}`, as single resources come. */
export interface DataOf<T> {
  readonly data: T;
}
