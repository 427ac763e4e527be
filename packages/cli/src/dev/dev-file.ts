import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { type Component, findRoot, type Json, type PropShape, type Runtime, type SourceView, XError } from "@x/runtime";

import { propsWithoutAccount } from "../given/given-accounts.ts";
import { allSources, looksLikeWorkflow } from "../serve/deploy-files.ts";
import type { Book } from "./book.ts";
import type { DevAccounts } from "./dev-accounts.ts";
import { type DevEmitter, sourceEmitter, workflowEmitter } from "./emitter.ts";
import type { FollowedFiles } from "./file-watch.ts";
import { shapeChanges } from "./shape-changes.ts";

/** What became of one reading of a file. */
export type Loaded =
  | {
      readonly ok: true;
      readonly emitter: DevEmitter;
      readonly change: "new" | "updated" | "unchanged";
      readonly differences: readonly string[];
      readonly newEndpoints: readonly string[];
    }
  | { readonly ok: false; readonly error: unknown };

/** A file of a component or a workflow with what it has become, which keeps its last good version. */
export interface DevFile {
  /** As it was given. */
  readonly shown: string;
  /** Its imports are inside. */
  readonly root: string;
  /** Absent until it could be deployed. */
  readonly emitter: DevEmitter | undefined;
  /** Everything that it was made of when it was read last. */
  readonly paths: FollowedFiles;
  /** How a file that it is made of is called. */
  nameOf(path: string): string;
  /** Reads it and brings what it has become to what it says. `noted`: the paths are those of this reading now. */
  load(noted?: () => void): Promise<Loaded>;
}

export interface DevFileOptions {
  readonly file: string;
  readonly root: string | undefined;
  /** For those props that the component has. */
  readonly props: { readonly [prop: string]: Json };
  /** For those app props that the component has, unless `props` says otherwise. */
  readonly accounts: DevAccounts;
  readonly book: Book;
  readonly runtime: Runtime;
}

/** Beyond this many, one that was there before may be told as new. */
const mostWorkflows = 100;

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const isGone = (error: unknown): boolean => XError.is(error) && error.code === "not_found";

function propsFor({ shape }: Component, given: DevFileOptions["props"]): DevFileOptions["props"] {
  if (shape.additionalProps) return given;
  return Object.fromEntries(Object.entries(given).filter(([name]) => shape.props.some((prop) => prop.name === name)));
}

/** Why a hook may have failed is told with the failure, as it is of a run. */
function withoutAccounts(error: unknown, without: readonly PropShape[]): unknown {
  if (XError.is(error) && error.code === "hook_failed")
    Object.assign(error.details, { without_account: without.map(({ name }) => name) });
  return error;
}

/** What is otherwise than it was, as far as both are known. */
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

export function createDevFile({ file, root: givenRoot, props, accounts, book, runtime }: DevFileOptions): DevFile {
  const path = resolve(file);
  const real = realPath(path);
  const root = realPath(givenRoot ?? findRoot(path));
  let emitter: DevEmitter | undefined;
  let paths: FollowedFiles = { own: new Set([path, real]), packages: new Set() };

  /** One that was deployed right before the process died has no entry yet. */
  async function findOrphan(): Promise<SourceView | undefined> {
    const componentId = book.begunOf(path);
    if (componentId === undefined) return undefined;
    const entered = new Set(book.entries().map(({ sourceId }) => sourceId));
    const sources = await allSources(runtime);
    const orphan = sources.find(({ source }) => source.componentId === componentId && !entered.has(source.id));
    if (orphan) book.enter(path, orphan.source.id);
    return orphan;
  }

  async function findSource(): Promise<SourceView | undefined> {
    const id = book.sourceOf(path);
    if (id === undefined) return findOrphan();
    return runtime.source(id).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
  }

  async function deploy(input: { componentId: string; props?: DevFileOptions["props"] }): Promise<SourceView> {
    book.begin(path, input.componentId);
    const view = await runtime.deploy(input);
    book.enter(path, view.source.id);
    return view;
  }

  async function bring(component: Component): Promise<Loaded> {
    const found = await findSource();
    const given = { ...(await accounts.propsFor(component.shape)), ...propsFor(component, props) };
    const input = { componentId: component.id, ...(Object.keys(given).length > 0 && { props: given }) };
    const bringing = found ? runtime.update(found.source.id, { ...input, active: true }) : deploy(input);
    const view = await bringing.catch((error: unknown) => {
      const values = { ...found?.configuredProps, ...given };
      throw withoutAccounts(error, propsWithoutAccount(component.shape, values));
    });
    emitter = sourceEmitter(view);
    return compare(found && sourceEmitter(found), emitter);
  }

  async function register(): Promise<Loaded> {
    // Which of them it is, it says itself.
    const { items } = await runtime.workflows({ limit: mostWorkflows });
    emitter = workflowEmitter(await runtime.workflow({ file: path, root }));
    // Its source, when it was a component before: the timer would fire on.
    const former = await findSource();
    if (former?.source.active === true)
      await runtime.update(former.source.id, { active: false, ignoreHookErrors: true });
    const before = items.find(({ id }) => id === emitter?.id);
    return compare(before && workflowEmitter(before), emitter);
  }

  async function read(noted?: () => void): Promise<Loaded> {
    try {
      const component = await runtime.saveComponent({ file: path, root }, (names, others, places) => {
        const pathsOf = (each: readonly string[]): string[] => each.map((name) => join(root, name));
        paths = {
          own: new Set([path, real, ...pathsOf(names), ...pathsOf(places)]),
          packages: new Set(pathsOf(others)),
        };
        noted?.();
      });
      return await bring(component);
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
    nameOf: (each) => (each === path || each === real ? file : relative(root, each)),
    async load(noted) {
      try {
        return await read(noted);
      } catch (error) {
        if (emitter) return { ok: false, error };
        // The source of an earlier start runs on with what it has.
        const former = await findSource();
        const view =
          former?.source.active === false ? await runtime.update(former.source.id, { active: true }) : former;
        emitter = view && sourceEmitter(view);
        return { ok: false, error };
      }
    },
  };
}
