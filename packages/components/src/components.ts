import { XError, newId, type Clock, type Component } from "@x/model";
import { splitTexts } from "./split-texts.ts";
import type { CodeInput, ComponentLoader, ComponentReference, LoadedComponent, NoteFiles } from "./contract.ts";
import type { Change, Store, Texts } from "@x/store";

/** Saved components: immutable, found by id or key, saved once per content and owner. */
export interface Components {
  save(input: CodeInput, userId: string, noted?: NoteFiles): Promise<Component>;
  /**
   * Saves a component of the registry, which every user finds by its id; it must have a key. Calls `noted` with
   * the names of its files, the entry first, as soon as they are known, and of each package.json that may declare versions.
   * Without `isAsked` it has low priority.
   */
  saveShared(input: CodeInput, noted: (files: readonly string[]) => void, isAsked: boolean): Promise<Component>;
  /** A component of the user by id or key, or one of the registry by its id. */
  find(idOrKey: string, userId: string): Promise<Component>;
  /** The component of the registry with this key, within `sharedWaitMs`; rejects with the reason when it cannot be served. */
  findShared(key: string): Promise<Component>;
  /** The component a caller refers to; rejects with `missing_parameter` when it names none. */
  resolve(reference: ComponentReference, userId: string): Promise<Component>;
  /**
   * The same for a change that may fail: a new component is saved only when the change commits `unsaved`.
   * `before` is the component that it replaces: its packages keep their versions.
   */
  hold(reference: ComponentReference, userId: string, before?: Pick<Component, "packageLock">): Promise<HeldComponent>;
}

/** A component whose code stays available until it is disposed of, saved or not. */
export interface HeldComponent extends Disposable {
  readonly component: Component;
  /** The changes that save it; empty when it is saved already. */
  readonly unsaved: readonly Change[];
}

/** A component that is being saved, and the number of its holders. */
interface Draft {
  readonly made: ReturnType<typeof splitTexts>;
  holders: number;
}

/** A component that a caller refers to, and the URL of its code. */
interface Located {
  readonly found: Component | LoadedComponent;
  readonly url?: string;
}

export interface ComponentsParts {
  readonly store: Store;
  readonly texts: Texts;
  readonly loader: ComponentLoader;
  /** Loads components of the registry: those that somebody asks for, and the others. */
  readonly sharedLoader: { readonly asked: ComponentLoader; readonly background: ComponentLoader };
  /** The key that its code seems to declare. */
  readonly seemingKey: (input: CodeInput) => Promise<string | undefined>;
  readonly clock: Clock;
  /** The id of the component that the registry has under a key; rejects with the reason when it cannot be served. */
  readonly sharedId: (key: string, waitMs?: number) => Promise<string | undefined>;
  /** Longest wait of `findShared` for a component that is not evaluated yet, in ms. A deploy waits as long as it takes. */
  readonly sharedWaitMs: number;
}

/** Owns the components of the registry; ids of users begin with `u_`. */
const registryOwner = "registry";

export const namesComponent = (reference: ComponentReference): boolean =>
  [reference.componentId, reference.key, reference.code, reference.files, reference.file, reference.url].some(
    (each) => each !== undefined,
  );

function requireKey({ shape }: LoadedComponent): void {
  if (shape.key !== undefined) return;
  const problem = "key is missing; the registry lists components by their keys";
  throw new XError("invalid_component", [shape.name, problem], {
    details: { errors: [{ path: "/key", message: problem }] },
  });
}

/** A saved component with the current URL of its code. All other fields are immutable. */
function relocated(known: Component, url: string | null, now: number): Pick<HeldComponent, "component" | "unsaved"> {
  if (url === null || url === known.componentUrl) return { component: known, unsaved: [] };
  const component = { ...known, componentUrl: url, updatedAt: now };
  return { component, unsaved: [{ op: "component.put", component }] };
}

const letGoOfNothing = (): void => {};

/** Holds unsaved components, so that equal ones sent at the same time are saved once. */
function createDrafts({ store, texts, clock }: Pick<ComponentsParts, "store" | "texts" | "clock">) {
  /** By owner and content. */
  const drafts = new Map<string, Draft>();

  return async (loaded: LoadedComponent, userId: string): Promise<HeldComponent> => {
    const content = `${userId} ${loaded.contentHash}`;
    const now = clock.now();
    const draft = drafts.get(content) ?? {
      made: splitTexts(loaded, { id: newId("sc"), userId, createdAt: now, updatedAt: now }),
      holders: 0,
    };
    // Before the query: an earlier holder has then either saved the component, or still holds the draft.
    drafts.set(content, draft);
    draft.holders += 1;
    const letGo = (): void => {
      draft.holders -= 1;
      if (draft.holders === 0) drafts.delete(content);
    };
    const known = await store.componentByContent(userId, loaded.contentHash).catch((error: unknown) => {
      letGo();
      throw error;
    });
    if (known) return { ...relocated(known, loaded.componentUrl, now), [Symbol.dispose]: letGo };
    const { component, texts: own } = draft.made;
    const heldTexts = texts.holdUnsaved(component, own);
    return {
      component,
      unsaved: [{ op: "component.put", ...draft.made }],
      [Symbol.dispose]() {
        heldTexts[Symbol.dispose]();
        letGo();
      },
    };
  };
}

/** Loads code; a component that is saved already is found instead. */
function createLoads({ store, loader, sharedLoader, seemingKey }: ComponentsParts) {
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

  const versionOf = async (key: string | undefined): Promise<Component | undefined> =>
    key === undefined ? undefined : store.componentByKey(registryOwner, key);

  /**
   * A new version under a known key keeps the versions of its packages. The key is known only after the evaluation, so the
   * key that the code seems to declare is tried first.
   */
  async function loadShared(
    input: CodeInput,
    noted: (files: readonly string[]) => void,
    isAsked: boolean,
  ): Promise<Component | LoadedComponent> {
    const by = isAsked ? sharedLoader.asked : sharedLoader.background;
    const guess = await versionOf(await seemingKey(input));
    const notedAll: NoteFiles = (files, _, __, manifests) => noted([...files, ...manifests]);
    const loaded = await load(input, registryOwner, notedAll, guess, by);
    const { key } = loaded.shape;
    if (key === guess?.shape.key) return loaded;
    const before = loaded.packageLock && (await versionOf(key));
    if (before?.packageLock === undefined && guess?.packageLock === undefined) return loaded;
    return load(input, registryOwner, notedAll, before, by);
  }

  return { load, loadShared };
}

export function createComponents(parts: ComponentsParts): Components {
  const { store, clock, sharedId } = parts;
  const holdDraft = createDrafts(parts);
  const { load, loadShared } = createLoads(parts);

  async function keep(loaded: Located, userId: string): Promise<Component> {
    using held = await hold(loaded, userId);
    if (held.unsaved.length > 0) await store.commit(held.unsaved);
    return held.component;
  }

  async function hold({ found, url }: Located, userId: string): Promise<HeldComponent> {
    if (!("id" in found)) return holdDraft(found, userId);
    return { ...relocated(found, url ?? null, clock.now()), [Symbol.dispose]: letGoOfNothing };
  }

  const notFound = (idOrKey: string): XError => new XError("not_found", ["component", idOrKey]);

  async function findOwn(idOrKey: string, userId: string): Promise<Component | undefined> {
    const byId = await store.component(idOrKey);
    // A workflow is not a component for sources.
    const isVisible = !byId?.shape.workflow && (byId?.userId === userId || byId?.userId === registryOwner);
    return isVisible ? byId : store.componentByKey(userId, idOrKey);
  }

  async function find(idOrKey: string, userId: string): Promise<Component> {
    const found = await findOwn(idOrKey, userId);
    if (!found) throw notFound(idOrKey);
    return found;
  }

  async function findShared(key: string, waitMs?: number): Promise<Component | undefined> {
    const id = await sharedId(key, waitMs);
    return id === undefined ? undefined : store.component(id);
  }

  /** The user's own component has priority: publishing by others does not change what a key means. */
  async function findByKey(key: string, userId: string): Promise<Component> {
    const found = (await findOwn(key, userId)) ?? (await findShared(key));
    if (!found) throw notFound(key);
    return found;
  }

  /** Finds the component that a caller refers to. Loads new code without saving it. */
  async function locate(
    reference: ComponentReference,
    userId: string,
    before?: Pick<Component, "packageLock">,
  ): Promise<Located> {
    const { componentId, key, code, url, file, root, files, entry } = reference;
    if (componentId !== undefined) return { found: await find(componentId, userId) };
    if (key !== undefined) return { found: await findByKey(key, userId) };
    const at = url === undefined ? {} : { url };
    if (code !== undefined) return { found: await load({ code, ...at }, userId, undefined, before), ...at };
    if (files !== undefined) {
      if (entry === undefined)
        throw new XError("missing_parameter", ["entry", "the name of the file with the component"]);
      return { found: await load({ files, entry }, userId, undefined, before), ...at };
    }
    if (file !== undefined)
      return { found: await load({ file, ...(root === undefined ? {} : { root }) }, userId, undefined, before) };
    if (url !== undefined) return { found: await load({ url }, userId, undefined, before), url };
    throw new XError("missing_parameter", ["componentId", "one of componentId, key, code, files, file, url"]);
  }

  return {
    async save(input, userId, noted) {
      const found = await load(input, userId, noted);
      const url = "url" in input ? input.url : undefined;
      return keep({ found, ...(url !== undefined && { url }) }, userId);
    },
    async saveShared(input, noted, isAsked) {
      const loaded = await loadShared(input, noted, isAsked);
      if (!("id" in loaded)) requireKey(loaded);
      return keep({ found: loaded }, registryOwner);
    },
    find,
    async findShared(key) {
      const found = await findShared(key, parts.sharedWaitMs);
      if (!found) throw notFound(key);
      return found;
    },
    resolve: async (reference, userId) => keep(await locate(reference, userId), userId),
    hold: async (reference, userId, before) => hold(await locate(reference, userId, before), userId),
  };
}
