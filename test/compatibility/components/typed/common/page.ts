export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: number | null;
}

export async function* pages<T>(ask: (page: number) => Promise<Page<T>>): AsyncGenerator<T> {
  let page: number | null | undefined = 1;
  while (page) {
    const { items, next }: Page<T> = await ask(page);
    yield* items;
    page = next;
  }
}
