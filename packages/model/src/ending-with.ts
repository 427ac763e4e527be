/** Items that wait for `live`: ending them ends it, also while they wait. */
export const endingWith = <T>(items: AsyncGenerator<T>, live: AsyncIterator<unknown>): AsyncIterableIterator<T> => ({
  next: () => items.next(),
  async return() {
    await live.return?.();
    return items.return(undefined);
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});
