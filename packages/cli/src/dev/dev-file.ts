import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { type Component, findRoot, type Json, type Runtime, type SourceView, XError } from "@x/runtime";

import { endpointUrls } from "../deploy-files.ts";
import type { Book } from "./book.ts";
import { shapeChanges } from "./shape-changes.ts";

/** What became of one reading of a file. */
export type Loaded =
  | {
      readonly ok: true;
      readonly view: SourceView;
      readonly change: "new" | "updated" | "unchanged";
      readonly differences: readonly string[];
      readonly newEndpoints: readonly string[];
    }
  | { readonly ok: false; readonly error: unknown };

/** A component file with the source that it has; the source keeps its last good version. */
export interface DevFile {
  /** As it was given. */
  readonly shown: string;
  /** Its imports are inside. */
  readonly root: string;
  /** Absent until it could be deployed. */
  readonly view: SourceView | undefined;
  /** Everything that it was made of when it was read last. */
  readonly paths: ReadonlySet<string>;
  /** How a file that it is made of is called. */
  nameOf(path: string): string;
  /** Reads it and brings the source to what it says. */
  load(): Promise<Loaded>;
}

export interface DevFileOptions {
  readonly file: string;
  readonly root: string | undefined;
  /** For those props that the component has. */
  readonly props: { readonly [prop: string]: Json };
  readonly book: Book;
  readonly runtime: Runtime;
}

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

export function createDevFile({ file, root: givenRoot, props, book, runtime }: DevFileOptions): DevFile {
  const path = resolve(file);
  const real = realPath(path);
  const root = realPath(givenRoot ?? findRoot(path));
  let view: SourceView | undefined;
  let paths: ReadonlySet<string> = new Set([path, real]);

  async function findSource(): Promise<SourceView | undefined> {
    const id = view?.source.id ?? book.sourceOf(path);
    if (id === undefined) return undefined;
    return runtime.source(id).catch((error: unknown) => {
      if (isGone(error)) return undefined;
      throw error;
    });
  }

  async function bring(component: Component): Promise<Loaded> {
    const before = await findSource();
    const given = propsFor(component, props);
    const input = { componentId: component.id, ...(Object.keys(given).length > 0 && { props: given }) };
    if (!before) {
      view = await runtime.deploy(input);
      book.enter(path, view.source.id);
      return { ok: true, view, change: "new", differences: [], newEndpoints: endpointUrls(view) };
    }
    view = await runtime.update(before.source.id, { ...input, active: true });
    const known = new Set(endpointUrls(before));
    return {
      ok: true,
      view,
      change: before.source.deploymentId === view.source.deploymentId ? "unchanged" : "updated",
      differences: shapeChanges(before.component.shape, view.component.shape),
      newEndpoints: endpointUrls(view).filter((url) => !known.has(url)),
    };
  }

  return {
    shown: file,
    root,
    get view() {
      return view;
    },
    get paths() {
      return paths;
    },
    nameOf: (each) => (each === path || each === real ? file : relative(root, each)),
    async load() {
      try {
        const input = { file: path, root };
        const component = await runtime.saveComponent(input, undefined, (names) => {
          paths = new Set([path, real, ...names.map((name) => join(root, name))]);
        });
        return await bring(component);
      } catch (error) {
        // The source of an earlier start runs on with what it has.
        const former = view ?? (await findSource());
        view = former && !former.source.active ? await runtime.update(former.source.id, { active: true }) : former;
        return { ok: false, error };
      }
    },
  };
}
