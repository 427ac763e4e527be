import type { Clock } from "./clock.ts";
import type { CodeInput, ComponentLoader, LoadedComponent } from "./component/contract.ts";
import type { ComponentReference } from "./api.ts";
import { XError } from "./errors.ts";
import { newId } from "./ids.ts";
import type { Component } from "./model.ts";
import type { Store } from "./store/contract.ts";

/** Saved components: immutable, found by id or key, saved once per content and owner (contract 3.2). */
export interface Components {
  save(input: CodeInput, userId: string): Promise<Component>;
  /**
   * Saves a component of the registry, which every user finds by its id; it must have a key. `noted` hears the names of
   * its files, the entry first, as soon as they are known.
   */
  saveShared(input: CodeInput, noted: (files: readonly string[]) => void): Promise<Component>;
  /** The user's own by id or key, or one of the registry by its id (G61). */
  find(idOrKey: string, userId: string): Promise<Component>;
  /** The component that the registry has under this key (R081). */
  findShared(key: string): Promise<Component>;
  /** The component a caller refers to; rejects with `missing_parameter` when it names none (R087, R088). */
  resolve(reference: ComponentReference, userId: string): Promise<Component>;
}

export interface ComponentsParts {
  readonly store: Store;
  readonly loader: ComponentLoader;
  readonly clock: Clock;
  /** The id of the component that the registry has under a key. */
  readonly sharedId: (key: string) => Promise<string | undefined>;
}

/** Owns the components of the registry; ids of users begin with `u_`. */
const registryOwner = "registry";

export const namesComponent = (reference: ComponentReference): boolean =>
  [reference.componentId, reference.key, reference.code, reference.file, reference.url].some(
    (each) => each !== undefined,
  );

function requireKey({ shape }: LoadedComponent): void {
  if (shape.key !== undefined) return;
  const problem = "key is missing; the registry lists components by their keys";
  throw new XError("invalid_component", [shape.name, problem], {
    details: { errors: [{ path: "/key", message: problem }] },
  });
}

export function createComponents({ store, loader, clock, sharedId }: ComponentsParts): Components {
  /** Saves under way, so that the same content sent twice at once is saved once. */
  const keeping = new Map<string, Promise<Component>>();

  async function keep(loaded: LoadedComponent, userId: string): Promise<Component> {
    const known = await store.componentByContent(userId, loaded.contentHash);
    if (known) return known;
    const now = clock.now();
    const component: Component = { id: newId("sc"), userId, ...loaded, createdAt: now, updatedAt: now };
    await store.commit([{ op: "component.put", component }]);
    return component;
  }

  async function save(
    input: CodeInput,
    userId: string,
    noted?: (files: readonly string[]) => void,
  ): Promise<Component> {
    const found = await loader.load(input, ({ contentHash, files }) => {
      noted?.(files);
      return store.componentByContent(userId, contentHash);
    });
    if ("id" in found) return found;
    if (userId === registryOwner) requireKey(found);
    const content = `${userId} ${found.contentHash}`;
    const kept = keeping.get(content) ?? keep(found, userId).finally(() => keeping.delete(content));
    keeping.set(content, kept);
    return kept;
  }

  const notFound = (idOrKey: string): XError => new XError("not_found", ["component", idOrKey]);

  async function findOwn(idOrKey: string, userId: string): Promise<Component | undefined> {
    const byId = await store.component(idOrKey);
    // A workflow is no component of a source.
    const isVisible = !byId?.shape.workflow && (byId?.userId === userId || byId?.userId === registryOwner);
    return isVisible ? byId : store.componentByKey(userId, idOrKey);
  }

  async function find(idOrKey: string, userId: string): Promise<Component> {
    const found = await findOwn(idOrKey, userId);
    if (!found) throw notFound(idOrKey);
    return found;
  }

  async function findShared(key: string): Promise<Component | undefined> {
    const id = await sharedId(key);
    return id === undefined ? undefined : store.component(id);
  }

  /** One's own comes first: nobody else's publishing changes what a key means. */
  async function findByKey(key: string, userId: string): Promise<Component> {
    const found = (await findOwn(key, userId)) ?? (await findShared(key));
    if (!found) throw notFound(key);
    return found;
  }

  return {
    save: (input, userId) => save(input, userId),
    saveShared: (input, noted) => save(input, registryOwner, noted),
    find,
    async findShared(key) {
      const found = await findShared(key);
      if (!found) throw notFound(key);
      return found;
    },
    resolve(reference, userId) {
      const { componentId, key, code, url, file, root } = reference;
      if (componentId !== undefined) return find(componentId, userId);
      if (key !== undefined) return findByKey(key, userId);
      if (code !== undefined) return save({ code, ...(url === undefined ? {} : { url }) }, userId);
      if (file !== undefined) return save({ file, ...(root === undefined ? {} : { root }) }, userId);
      if (url !== undefined) return save({ url }, userId);
      return Promise.reject(
        new XError("missing_parameter", ["component_id", "one of component_id, component_code, component_url"]),
      );
    },
  };
}
