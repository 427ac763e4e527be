import type { Clock } from "./clock.ts";
import type { CodeInput, ComponentLoader } from "./component/contract.ts";
import type { ComponentReference } from "./api.ts";
import { XError } from "./errors.ts";
import { newId } from "./ids.ts";
import type { Component } from "./model.ts";
import type { Store } from "./store/contract.ts";

/** Saved components of users: immutable, found by id or key, saved once per content (contract 3.2). */
export interface Components {
  save(input: CodeInput, userId: string): Promise<Component>;
  find(idOrKey: string, userId: string): Promise<Component>;
  /** The component a caller refers to; rejects with `missing_parameter` when it names none (R087, R088). */
  resolve(reference: ComponentReference, userId: string): Promise<Component>;
}

export const namesComponent = (reference: ComponentReference): boolean =>
  [reference.componentId, reference.key, reference.code, reference.file, reference.url].some(
    (each) => each !== undefined,
  );

export function createComponents(parts: { store: Store; loader: ComponentLoader; clock: Clock }): Components {
  const { store, loader, clock } = parts;

  async function find(idOrKey: string, userId: string): Promise<Component> {
    const byId = await store.component(idOrKey);
    const found = byId?.userId === userId ? byId : await store.componentByKey(userId, idOrKey);
    if (!found) throw new XError("not_found", ["component", idOrKey]);
    return found;
  }

  async function save(input: CodeInput, userId: string): Promise<Component> {
    const loaded = await loader.load(input);
    const known = await store.componentByContent(userId, loaded.contentHash);
    if (known) return known;
    const now = clock.now();
    const component: Component = { id: newId("sc"), userId, ...loaded, createdAt: now, updatedAt: now };
    await store.commit([{ op: "component.put", component }]);
    return component;
  }

  return {
    save,
    find,
    resolve(reference, userId) {
      const { componentId, key, code, url, file, root } = reference;
      if (componentId !== undefined) return find(componentId, userId);
      if (key !== undefined) return find(key, userId);
      if (code !== undefined) return save({ code, ...(url === undefined ? {} : { url }) }, userId);
      if (file !== undefined) return save({ file, ...(root === undefined ? {} : { root }) }, userId);
      if (url !== undefined) {
        return Promise.reject(
          new XError("component_url_failed", [
            JSON.stringify(url),
            "this release does not read components by URL; send component_code",
          ]),
        );
      }
      return Promise.reject(
        new XError("missing_parameter", ["component_id", "one of component_id, component_code, component_url"]),
      );
    },
  };
}
