import type {
  DeployComparison,
  DeployInput,
  SourceComparison,
  SourceFilter,
  SourceView,
  UpdateInput,
} from "../api/api.ts";
import { namesComponent } from "@x/components";
import {
  XError,
  systemClock,
  timerOf,
  withWarnings,
  type Dispatcher,
  type Holding,
  type Page,
  type Paged,
  type Source,
} from "@x/model";
import { createMatchingLists, type StoredTransition } from "@x/store";
import { compareDeploy } from "./compare-deploy.ts";
import { deploy, type DeployParts } from "./deploy.ts";
import { deleteSource, updateSource } from "./lifecycle.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { isUnchanged } from "./source-record.ts";
import { listSources } from "./source-list.ts";
import { createSourceViews } from "./source-views.ts";
import { compareUpdate, planUpdate } from "./planned-update.ts";
import type { TakenSlugs } from "./taken-slugs.ts";

export interface SourcesParts extends Omit<DeployParts, "later" | "views"> {
  readonly slugs: TakenSlugs;
  /** Changes that a former process did not finish. */
  readonly left: readonly StoredTransition[];
  /** One lane for all changes that may have crashed the process. */
  readonly suspects: Dispatcher;
  readonly holding: Pick<Holding, "mayRun">;
  /** How long a change waits for the lane of its source, in milliseconds. */
  readonly busyWaitMs: number;
  /** Runs what waited while the source was inactive; removes what waited for a deleted source. */
  release(id: string): Promise<void>;
  endpointUrl(key: string): string;
}

/** Creates, updates, deletes and shows the sources of users. Methods reject with `not_found` for sources of other users. */
export interface Sources {
  create(input: DeployInput, userId: string): Promise<SourceView>;
  /** What an update with this input would change; changes nothing. */
  compare(id: string, input: UpdateInput, userId: string): Promise<SourceComparison>;
  /** What a deploy by name would do; does nothing. */
  compareDeploy(input: DeployInput, userId: string): Promise<DeployComparison>;
  update(id: string, input: UpdateInput, userId: string): Promise<SourceView>;
  /** Runs the hooks `deactivate` and `activate` of an active source. */
  reactivate(id: string, ignoreHookErrors: boolean, userId: string): Promise<SourceView>;
  delete(id: string, ignoreHookErrors: boolean, userId: string): Promise<void>;
  /** Clears the ids that dedupe has seen. */
  resetDedupe(id: string, userId: string): Promise<void>;
  own(id: string, userId: string): Promise<Source>;
  list(page: Page, filter: SourceFilter, userId: string): Promise<Paged<SourceView>>;
  view(source: Source): Promise<SourceView>;
  /** Finishes the changes that a former process did not, each in the lane of its source. */
  readonly recovery: Pick<Recovery, "start" | "forget">;
}

/** Enters the lane of a source for a change; rejects with `busy` after `busyWaitMs` milliseconds. */
async function enterUnlessBusy(
  { dispatcher, busyWaitMs }: Pick<SourcesParts, "dispatcher" | "busyWaitMs">,
  sourceId: string,
): Promise<Disposable> {
  const entered = dispatcher.enter(sourceId, "first");
  const waited = Promise.withResolvers<undefined>();
  const cancel = systemClock.wakeAt(systemClock.now() + busyWaitMs, () => waited.resolve(undefined));
  const lane = await Promise.race([entered, waited.promise]);
  cancel();
  if (lane) return lane;
  void entered.then((late) => late[Symbol.dispose]());
  throw new XError("busy", [sourceId]);
}

export function createSources(given: SourcesParts): Sources {
  const { store, components } = given;
  const views = createSourceViews(store, given.endpointUrl, {
    now: () => given.clock.now(),
    endpointBase: given.endpointBase,
    appHooks: given.appHooks,
  });
  const later = (unfinished: StoredTransition): void => recovery.later(unfinished);
  const parts = { ...given, later, views };
  const recovery = createRecovery(given.left, { ...parts, holdSlug: given.slugs.hold });
  const { own, savedComponent, show } = views;
  const lists = createMatchingLists();
  const view = async (source: Source): Promise<SourceView> => show(source, await savedComponent(source.componentId));

  /** Enters the lane of a source for a change, and first finishes a change that a former process left. */
  async function enterLane(id: string): Promise<Disposable> {
    const lane = await enterUnlessBusy(parts, id);
    await recovery.finish(id).catch((error: unknown) => {
      lane[Symbol.dispose]();
      throw error;
    });
    return lane;
  }

  /** `always`: runs the hooks also when nothing changes. */
  async function update(id: string, given: UpdateInput, userId: string, always = false): Promise<SourceView> {
    const { componentId } = await own(id, userId);
    // `hold` refuses a replacement that names no component.
    const isNamed = given.replace === true || namesComponent(given);
    using held = isNamed ? await components.hold(given, userId, await savedComponent(componentId)) : undefined;

    using _lane = await enterLane(id);
    const cached = await parts.sourceCache.get(id);
    const { source: current, component: before } = cached;
    using planned = await planUpdate(cached, { given, held: held?.component }, parts);
    const { input, saved, component, source, kept } = planned;
    if (always && !current.active) throw new XError("inactive", [id]);
    if (!always && !input.replace && isUnchanged(current, source)) return show(current, saved);

    // A source with a deleted account can still be renamed or paused: only the changed props are checked.
    const isChosen = (prop: string): boolean => component.id !== before.id || Object.hasOwn(input.props ?? {}, prop);
    using _accounts = await parts.accounts.hold({ source, component, isChosen, mustBeComplete: true });
    const timer = timerOf(current, before);
    const previousTimer = timer && current.active ? { timer } : undefined;
    const { ignoreHookErrors = false } = input;
    await updateSource(
      { source, component, extraChanges: held?.unsaved ?? [], ignoreHookErrors, previousTimer, kept },
      parts,
    );
    if (source.active) await parts.release(id);
    const view = await show(source, saved);
    const warnings = [...kept, ...(await parts.appHooks.warnings(source, component))];
    return { ...view, component: withWarnings(view.component, warnings) };
  }

  return {
    compare: (id, input, userId) => compareUpdate(id, input, userId, parts),
    compareDeploy: (input, userId) => compareDeploy(input, userId, parts),
    create: (input, userId) => deploy(input, userId, parts),
    update: (id, input, userId) => update(id, input, userId),
    reactivate: (id, ignoreHookErrors, userId) => update(id, { ignoreHookErrors }, userId, true),
    own,
    async delete(id, ignoreHookErrors, userId) {
      await own(id, userId);
      {
        using _lane = await enterLane(id);
        await deleteSource(id, ignoreHookErrors, parts);
      }
      await parts.release(id);
    },
    async resetDedupe(id, userId) {
      await own(id, userId);
      using _lane = await enterLane(id);
      await own(id, userId);
      await store.commit([{ op: "dedupe.reset", sourceId: id }]);
      parts.sourceCache.forget(id);
    },
    recovery,
    async list(page, filter, userId) {
      const { totalCount, items } = await listSources(page, filter, userId, { ...parts, lists });
      return { totalCount, items: await Promise.all(items.map(view)) };
    },
    view,
  };
}
