import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import {
  type Component,
  type ComponentShape,
  type DeployInput,
  findRoot,
  type Json,
  type PropShape,
  type Runtime,
  type SourceView,
  XError,
} from "@x/runtime";

import { propsWithoutAccount } from "../arguments/accounts-file.ts";
import type { GivenProps } from "../arguments/values.ts";
import { looksLikeWorkflow } from "../deploy/workflow-text.ts";
import { allSources, pickDeclared } from "../serve/deploy-files.ts";
import type { DevState } from "./dev-state.ts";
import type { DevAccounts } from "./dev-accounts.ts";
import { type DevEmitter, sourceEmitter, workflowEmitter } from "./emitter.ts";
import type { FollowedFiles } from "./file-watch.ts";
import { shapeChanges } from "./shape-changes.ts";
import { tryRead } from "./try-read.ts";

/** The result of loading a file. */
export type Loaded =
  | {
      readonly ok: true;
      readonly emitter: DevEmitter;
      readonly change: "new" | "updated" | "unchanged";
      readonly differences: readonly string[];
      readonly newEndpoints: readonly string[];
    }
  | { readonly ok: false; readonly error: unknown };

/** A component or workflow file and its source or workflow, which keeps the last working version. */
export interface DevFile {
  /** Its name on the command line. */
  readonly shown: string;
  /** The folder that its imports must be in. */
  readonly root: string;
  /** Undefined until it is deployed. */
  readonly emitter: DevEmitter | undefined;
  /** The files of the last build. */
  readonly paths: FollowedFiles;
  /** The display name of one of its files. */
  nameOf(path: string): string;
  /** What the component declares; undefined when it cannot be read, or is a workflow. Runs no hook. */
  readShape(): Promise<ComponentShape | undefined>;
  /** Reads the file and deploys or updates it. `onPaths` is called when `paths` are those of this build. */
  load(onPaths?: () => void): Promise<Loaded>;
}

export interface DevFileOptions {
  readonly file: string;
  readonly root: string | undefined;
  /** Name of the source; default: that of the component. */
  readonly name?: string | undefined;
  /** Values for the props that the component declares. */
  readonly props: { readonly [prop: string]: Json };
  /** The same as texts, for the types of the props. */
  readonly propTexts?: GivenProps["propTexts"];
  /** False drops the events of the deploy hook; default true. */
  readonly emitOnDeploy?: boolean;
  /** Accounts for the app props without a value in `props`. */
  readonly accounts: DevAccounts;
  readonly state: DevState;
  readonly runtime: Runtime;
}

/** With more workflows than this, a known one may be reported as new. */
const maxWorkflows = 100;

const realPath = (path: string): string => tryRead(() => realpathSync(path), resolve(path));

const isGone = (error: unknown): boolean => XError.is(error) && error.code === "not_found";

/** Adds to a hook's failure the app props without an account, as a run's failure has them. */
function withoutAccounts(error: unknown, without: readonly PropShape[]): unknown {
  if (XError.is(error) && error.code === "hook_failed")
    Object.assign(error.details, { without_account: without.map(({ name }) => name) });
  return error;
}

/** The differences between the version before and the new one. */
function compare(before: DevEmitter | undefined, emitter: DevEmitter): Loaded {
  const known = new Set(before?.endpoints);
  return {
    ok: true,
    emitter,
    change: !before ? "new" : before.deploymentId === emitter.deploymentId ? "unchanged" : "updated",
    differences: before?.shape && emitter.shape ? shapeChanges(before.shape, emitter.shape) : [],
    newEndpoints: emitter.endpoints.filter((url) => !known.has(url)),
  };
}

/** A source whose deploy was not recorded because the process died. */
async function findOrphan(
  path: string,
  { state, runtime }: Pick<DevFileOptions, "state" | "runtime">,
): Promise<SourceView | undefined> {
  const componentId = state.pendingComponentOf(path);
  if (componentId === undefined) return undefined;
  const recorded = new Set(state.entries().map(({ sourceId }) => sourceId));
  const sources = await allSources(runtime);
  const orphan = sources.find(({ source }) => source.componentId === componentId && !recorded.has(source.id));
  if (orphan) state.setSource(path, orphan.source.id);
  return orphan;
}

export function createDevFile(options: DevFileOptions): DevFile {
  const { file, name, props, propTexts = {}, emitOnDeploy = true, accounts, state, runtime } = options;
  const path = resolve(file);
  const real = realPath(path);
  const root = realPath(options.root ?? findRoot(path));
  let emitter: DevEmitter | undefined;
  let paths: FollowedFiles = { own: new Set([path, real]), packages: new Set() };

  async function findSource(): Promise<SourceView | undefined> {
    const id = state.sourceOf(path);
    if (id === undefined) return findOrphan(path, options);
    return runtime.source(id).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
  }

  async function deploy(input: DeployInput & { readonly componentId: string }): Promise<SourceView> {
    state.beginDeploy(path, input.componentId);
    const view = await runtime.deploy({ ...input, emitOnDeploy });
    state.setSource(path, view.source.id);
    return view;
  }

  async function deployOrUpdate(component: Component): Promise<Loaded> {
    const found = await findSource();
    const values = { ...(await accounts.propsFor(component.shape)), ...pickDeclared(component.shape, props) };
    const texts = pickDeclared(component.shape, propTexts);
    const input = {
      componentId: component.id,
      ...(name !== undefined && { name }),
      ...(Object.keys(values).length > 0 && { props: values }),
      ...(Object.keys(texts).length > 0 && { propTexts: texts }),
    };
    const changing = found ? runtime.update(found.source.id, { ...input, active: true }) : deploy(input);
    const view = await changing.catch((error: unknown) => {
      const configured = { ...found?.configuredProps, ...values, ...texts };
      throw withoutAccounts(error, propsWithoutAccount(component.shape, configured));
    });
    emitter = sourceEmitter(view);
    return compare(found && sourceEmitter(found), emitter);
  }

  async function register(): Promise<Loaded> {
    // Listed before the workflow is registered, which replaces it.
    const { items } = await runtime.workflows({ limit: maxWorkflows });
    emitter = workflowEmitter(await runtime.workflow({ file: path, root }));
    // If the file was a component before, its source must not run any more.
    const former = await findSource();
    if (former?.source.active === true)
      await runtime.update(former.source.id, { active: false, ignoreHookErrors: true });
    const before = items.find(({ id }) => id === emitter?.id);
    return compare(before && workflowEmitter(before), emitter);
  }

  async function read(onPaths?: () => void): Promise<Loaded> {
    try {
      const component = await runtime.saveComponent({ file: path, root }, (names, packageFiles, candidates) => {
        const pathsOf = (each: readonly string[]): string[] => each.map((name) => join(root, name));
        paths = {
          own: new Set([path, real, ...pathsOf(names), ...pathsOf(candidates)]),
          packages: new Set(pathsOf(packageFiles)),
        };
        onPaths?.();
      });
      return await deployOrUpdate(component);
    } catch (error) {
      if (XError.is(error) && error.code === "invalid_component" && looksLikeWorkflow(path)) return register();
      throw error;
    }
  }

  return {
    shown: file,
    root,
    get emitter() {
      return emitter;
    },
    get paths() {
      return paths;
    },
    readShape: async () => (await runtime.saveComponent({ file: path, root }).catch(() => undefined))?.shape,
    nameOf: (each) => (each === path || each === real ? file : relative(root, each)),
    async load(onPaths) {
      try {
        return await read(onPaths);
      } catch (error) {
        if (emitter) return { ok: false, error };
        // The source of an earlier start keeps running its version.
        const former = await findSource();
        const view =
          former?.source.active === false ? await runtime.update(former.source.id, { active: true }) : former;
        emitter = view && sourceEmitter(view);
        return { ok: false, error };
      }
    },
  };
}
