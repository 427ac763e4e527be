import type { Component, ComponentTexts } from "../model.ts";
import { textHash } from "../sha256.ts";
import type { LoadedComponent } from "./contract.ts";

type Saved = Pick<Component, "id" | "userId" | "createdAt" | "updatedAt">;

/** The record of a component that was loaded, and the texts that belong to it. */
export function splitTexts(
  { code, bundle, sourceMap, ...loaded }: LoadedComponent,
  saved: Saved,
): { readonly component: Component; readonly texts: ComponentTexts } {
  const texts = { code: textHash(code), bundle: textHash(bundle), sourceMap: textHash(sourceMap) };
  const { id, userId, createdAt, updatedAt } = saved;
  return { component: { id, userId, texts, ...loaded, createdAt, updatedAt }, texts: { code, bundle, sourceMap } };
}
