import { resolve } from "node:path";

import { type ComponentShape, findRoot, type Json, type Runtime, type SourceView, type WorkflowView } from "@x/runtime";

import { checkFile } from "../arguments/path.ts";
import { type GivenProps, givenNames } from "../arguments/values.ts";
import { UsageError } from "../errors.ts";

/** A component file to deploy as a source. */
export interface ComponentFile {
  readonly file: string;
  /** The folder that its imports must be in; default: `findRoot`. */
  readonly root?: string | undefined;
  /** Values for the first deploy. */
  readonly props?: { readonly [prop: string]: Json };
  /** Values for every start. */
  readonly currentProps?: { readonly [prop: string]: Json };
  /** Values for every start, for the props that the component declares. */
  readonly offered?: GivenProps;
}

export interface DeployedFile {
  readonly view: SourceView;
  readonly change: "new" | "updated" | "unchanged";
}

const pageSize = 100;

/** Every source of the first user. */
export async function allSources(runtime: Runtime): Promise<SourceView[]> {
  const found: SourceView[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.source.id) {
    const { items } = await runtime.sources({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    found.push(...items);
    if (items.length < pageSize) return found;
  }
}

/**
 * Deploys each file as a new source, or updates the source of the component with the same name. Throws `UsageError` for
 * two files with the same name, and for an offered prop that no component declares.
 */
export async function deployFiles(runtime: Runtime, files: readonly ComponentFile[]): Promise<DeployedFile[]> {
  for (const { file } of files) checkFile(file);
  const existing = await allSources(runtime);
  const deployed: DeployedFile[] = [];
  const fileOf = new Map<string, string>();
  const used = new Set<string>();
  for (const { file, root, props, currentProps: fixed, offered: given = { props: {}, propTexts: {} } } of files) {
    const component = await runtime.saveComponent({ file: resolve(file), root: root ?? findRoot(file) });
    const offered = pickDeclared(component.shape, given.props);
    const propTexts = pickDeclared(component.shape, given.propTexts);
    for (const prop of givenNames({ props: offered, propTexts })) used.add(prop);
    const currentProps = fixed || Object.keys(offered).length > 0 ? { ...fixed, ...offered } : undefined;
    const { name } = component.shape;
    const other = fileOf.get(name);
    if (other !== undefined) throw new UsageError(`${other} and ${file} both have the name "${name}"`);
    fileOf.set(name, file);
    const known = existing.find((view) => view.component.shape.name === name);
    if (!known) {
      const view = await runtime.deploy({ componentId: component.id, props: { ...props, ...currentProps }, propTexts });
      deployed.push({ view, change: "new" });
      continue;
    }
    const view = await runtime.update(known.source.id, {
      componentId: component.id,
      ...(currentProps && { props: currentProps }),
      ...(Object.keys(propTexts).length > 0 && { propTexts }),
    });
    const same = view.source.deploymentId === known.source.deploymentId;
    deployed.push({ view, change: same ? "unchanged" : "updated" });
  }
  const unknown = files.flatMap(({ offered = {} }) => givenNames(offered)).find((prop) => !used.has(prop));
  if (unknown !== undefined) throw new UsageError(`No component here has a prop "${unknown}"`);
  return deployed;
}

/** The values whose props the component declares; all of them when it has `additionalProps`. */
export const pickDeclared = <T>(
  shape: ComponentShape,
  values: { readonly [prop: string]: T },
): { readonly [prop: string]: T } =>
  shape.additionalProps
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => shape.props.some((prop) => prop.name === name)));

/** The endpoint URLs of a source. */
export const endpointUrls = ({ source }: SourceView): string[] => Object.values(source.endpoints);

/** Registers the workflow of each file, in order; `root` is the folder that imports must be in. */
export async function registerWorkflows(
  runtime: Runtime,
  files: readonly string[],
  root?: string,
): Promise<WorkflowView[]> {
  for (const file of files) checkFile(file);
  const registered: WorkflowView[] = [];
  const fileOf = new Map<string, string>();
  for (const file of files) {
    const view = await runtime.workflow({ file: resolve(file), root: root ?? findRoot(file) });
    const other = fileOf.get(view.id);
    if (other !== undefined) throw new UsageError(`${other} and ${file} are both the workflow ${view.id}`);
    fileOf.set(view.id, file);
    registered.push(view);
  }
  return registered;
}
