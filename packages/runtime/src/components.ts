import type { Clock } from "./clock.ts";
import type { CodeInput, ComponentLoader, LoadedComponent, NoteFiles } from "./component/contract.ts";
import type { ComponentReference } from "./api.ts";
import { XError } from "./errors.ts";
import { newId } from "./ids.ts";
import type { Component } from "./model.ts";
import type { Change, Store } from "./store/contract.ts";

/** Saved components: immutable, found by id or key, saved once per content and owner (contract 3.2). */
export interface Components {
  save(input: CodeInput, userId: string, noted?: NoteFiles): Promise<Component>;
  /**
   * Saves a component of the registry, which every user finds by its id; it must have a key. `noted` hears the names of
   * its files, the entry first, as soon as they are known, and of each package.json that may have versions for it.
   */
  saveShared(input: CodeInput, noted: (files: readonly string[]) => void): Promise<Component>;
  /** The user's own by id or key, or one of the registry by its id (G61). */
  find(idOrKey: string, userId: string): Promise<Component>;
  /** The component that the registry has under this key (R081); rejects with what keeps it from having its packages. */
  findShared(key: string): Promise<Component>;
  /** The component a caller refers to; rejects with `missing_parameter` when it names none (R087, R088). */
  resolve(reference: ComponentReference, userId: string): Promise<Component>;
  /** The same for a change that may fail: a component that is new is saved by the changes that `work` commits. */
  using<T>(
    reference: ComponentReference,
    userId: string,
    work: UseComponent<T>,
    /** What it takes the place of: versions of packages stay (R071). */
    before?: Pick<Component, "packageLock">,
  ): Promise<T>;
}

export type UseComponent<T> = (component: Component, unsaved: readonly Change[]) => Promise<T>;

/** A component that is being saved, and how many are at it. */
interface Draft {
  readonly component: Component;
  holders: number;
}

export interface ComponentsParts {
  readonly store: Store;
  readonly loader: ComponentLoader;
  /** Of components of the registry. */
  readonly sharedLoader: ComponentLoader;
  /** The key that its code seems to declare. */
  readonly seemingKey: (input: CodeInput) => Promise<string | undefined>;
  readonly clock: Clock;
  /** The id of the component that the registry has under a key; rejects with what keeps it from having its packages. */
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

export function createComponents({
  store,
  loader,
  sharedLoader,
  seemingKey,
  clock,
  sharedId,
}: ComponentsParts): Components {
  /** By owner and content, so that what is sent twice at once is saved as one. */
  const drafts = new Map<string, Draft>();

  async function saving<T>(loaded: LoadedComponent, userId: string, work: UseComponent<T>): Promise<T> {
    const content = `${userId} ${loaded.contentHash}`;
    const now = clock.now();
    const draft = drafts.get(content) ?? {
      component: { id: newId("sc"), userId, ...loaded, createdAt: now, updatedAt: now },
      holders: 0,
    };
    // Before the look at the store: whoever was first has then either saved it, or still holds the draft.
    drafts.set(content, draft);
    draft.holders += 1;
    try {
      const known = await store.componentByContent(userId, loaded.contentHash);
      return await (known
        ? work(known, [])
        : work(draft.component, [{ op: "component.put", component: draft.component }]));
    } finally {
      draft.holders -= 1;
      if (draft.holders === 0) drafts.delete(content);
    }
  }

  const load = (
    input: CodeInput,
    userId: string,
    noted?: NoteFiles,
    before?: Pick<Component, "packageLock">,
    by: ComponentLoader = loader,
  ): Promise<Component | LoadedComponent> =>
    by.load(
      input,
      ({ contentHash, files, packageFiles = [], places = [], manifests = [] }) => {
        noted?.(files, packageFiles, [...places, ...manifests], manifests);
        return store.componentByContent(userId, contentHash);
      },
      before?.packageLock,
    );

  /**
   * A new version under a known key keeps the versions of its packages (R071). The key is known when the component is
   * evaluated; what the file says is tried first, so that nothing newer has to be fetched, or to work.
   */
  async function loadShared(
    input: CodeInput,
    noted: (files: readonly string[]) => void,
  ): Promise<Component | LoadedComponent> {
    const guess = await versionOf(await seemingKey(input));
    const notedAll: NoteFiles = (files, _, __, manifests) => noted([...files, ...manifests]);
    const loaded = await load(input, registryOwner, notedAll, guess, sharedLoader);
    const { key } = loaded.shape;
    if (key === guess?.shape.key) return loaded;
    const before = loaded.packageLock && (await versionOf(key));
    if (before?.packageLock === undefined && guess?.packageLock === undefined) return loaded;
    return load(input, registryOwner, notedAll, before, sharedLoader);
  }

  const versionOf = async (key: string | undefined): Promise<Component | undefined> =>
    key === undefined ? undefined : store.componentByKey(registryOwner, key);

  function keep(loaded: Component | LoadedComponent, userId: string): Promise<Component> {
    if ("id" in loaded) return Promise.resolve(loaded);
    return saving(loaded, userId, async (component, unsaved) => {
      if (unsaved.length > 0) await store.commit(unsaved);
      return component;
    });
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

  /** What a caller refers to; code that is new is loaded, not saved. */
  async function locate(
    reference: ComponentReference,
    userId: string,
    before?: Pick<Component, "packageLock">,
  ): Promise<Component | LoadedComponent> {
    const { componentId, key, code, url, file, root } = reference;
    if (componentId !== undefined) return find(componentId, userId);
    if (key !== undefined) return findByKey(key, userId);
    if (code !== undefined) return load({ code, ...(url === undefined ? {} : { url }) }, userId, undefined, before);
    if (file !== undefined) return load({ file, ...(root === undefined ? {} : { root }) }, userId, undefined, before);
    if (url !== undefined) return load({ url }, userId, undefined, before);
    throw new XError("missing_parameter", [
      "component_id",
      "one of component_id, component_code, component_url, key, or a file",
    ]);
  }

  return {
    save: async (input, userId, noted) => keep(await load(input, userId, noted), userId),
    async saveShared(input, noted) {
      const loaded = await loadShared(input, noted);
      if (!("id" in loaded)) requireKey(loaded);
      return keep(loaded, registryOwner);
    },
    find,
    async findShared(key) {
      const found = await findShared(key);
      if (!found) throw notFound(key);
      return found;
    },
    resolve: async (reference, userId) => keep(await locate(reference, userId), userId),
    async using(reference, userId, work, before) {
      const found = await locate(reference, userId, before);
      return "id" in found ? work(found, []) : saving(found, userId, work);
    },
  };
}
