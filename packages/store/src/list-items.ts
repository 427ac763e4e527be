import type { Page, Paged } from "@x/model";

const pageSize = 100;

/** Every item of a list, in its order. Reads a page when the one before is used up. */
export async function* listItems<T extends { readonly id: string }>(
  read: (page: Page) => Promise<Paged<T>>,
): AsyncGenerator<T, void> {
  for (let after: string | undefined; ;) {
    const { items } = await read({ limit: pageSize, ...(after !== undefined && { after }) });
    yield* items;
    if (items.length < pageSize) return;
    after = items.at(-1)?.id;
  }
}
