import { textHash, type Component, type ComponentTexts } from "@x/model";

type Saved = Pick<Component, "id" | "userId" | "createdAt" | "updatedAt">;

/** Splits a loaded component into its record and its texts. */
export function splitTexts(
  { code, bundle, sourceMap, ...loaded }: ComponentTexts & Omit<Component, keyof Saved | "texts">,
  { id, userId, createdAt, updatedAt }: Saved,
): { readonly component: Component; readonly texts: ComponentTexts } {
  const texts = { code: textHash(code), bundle: textHash(bundle), sourceMap: textHash(sourceMap) };
  return { component: { id, userId, texts, ...loaded, createdAt, updatedAt }, texts: { code, bundle, sourceMap } };
}
