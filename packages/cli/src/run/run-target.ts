import {
  type ComponentPackage,
  type ComponentShape,
  type InvokeInput,
  type Json,
  type NoteFiles,
  type ObservedExecution,
  type Runtime,
  XError,
} from "@x/runtime";

import { accountProps, type AccountsByApp, propsWithoutAccount } from "../arguments/accounts-file.ts";
import { UsageError } from "../errors.ts";
import { looksLikeWorkflow } from "../serve/deploy-files.ts";
import { startOf } from "./http-event.ts";
import type { RuntimeFlagOptions } from "../arguments/runtime-flags.ts";

/** One shot, as the command line says it. */
export interface SingleRunOptions {
  readonly file: string;
  /** Folder that its imports stay in. */
  readonly root: string;
  readonly props: { readonly [prop: string]: Json };
  readonly accounts?: AccountsByApp | undefined;
  readonly event: Json | undefined;
  /** Emit from the deploy hook too. */
  readonly emitOnDeploy: boolean;
  readonly times: number;
  /** In plain Node, where debuggers see it, in place of the sandbox. */
  readonly inNode?: boolean;
  readonly runtime: RuntimeFlagOptions;
}

/** What is run: a source of a component, or a workflow. */
export interface RunTarget {
  readonly id: string;
  readonly component: {
    readonly name: string;
    readonly version: string;
    readonly packages?: readonly ComponentPackage[];
  };
  readonly start: InvokeInput;
  readonly withoutAccount: readonly string[];
  readonly deploy: { readonly dropsEvents: boolean };
}

export interface RunObservation {
  /** Every call that has ended so far. */
  readonly observed: readonly ObservedExecution[];
  readonly noted?: NoteFiles | undefined;
}

/** What a hook did before it failed is told with the failure, as it is of a run. */
function withHookTrace(
  error: unknown,
  observed: readonly ObservedExecution[],
  withoutAccount: readonly string[],
): unknown {
  if (XError.is(error) && error.code === "hook_failed")
    Object.assign(error.details, { calls: observed.flatMap(({ calls }) => calls), without_account: withoutAccount });
  return error;
}

async function deploySource(
  runtime: Runtime,
  { file, root, accounts, emitOnDeploy, props: values, event }: SingleRunOptions,
  { observed, noted }: RunObservation,
): Promise<RunTarget> {
  const { id: componentId, shape } = await runtime.saveComponent({ file, root }, noted);
  const props = { ...(accounts && accountProps(shape, accounts)), ...values };
  const withoutAccount = propsWithoutAccount(shape, props).map(({ name }) => name);
  try {
    const { source, component } = await runtime.deploy({ componentId, props, emitOnDeploy });
    const { name, version } = component.shape;
    const { packages } = component;
    const dropsEvents = !emitOnDeploy && component.shape.hooks.includes("deploy");
    return {
      id: source.id,
      component: { name, version, ...(packages && { packages }) },
      start: startOf(component.shape, event),
      withoutAccount,
      deploy: { dropsEvents },
    };
  } catch (error) {
    throw withHookTrace(error, observed, withoutAccount);
  }
}

const httpTrigger: ComponentShape["props"] = [{ name: "http", type: "$.interface.http" }];

async function registerWorkflow(runtime: Runtime, { file, root, props, event }: SingleRunOptions): Promise<RunTarget> {
  const [prop] = Object.keys(props);
  const { id, name, endpointUrl } = await runtime.workflow({ file, root });
  if (prop !== undefined)
    throw new UsageError(
      `${name} is a workflow: values of props stand in its steps, so --props ${prop} is for nothing`,
    );
  const shape = { name, version: "", hooks: [], props: endpointUrl === undefined ? [] : httpTrigger };
  return {
    id,
    component: { name, version: "" },
    start: startOf(shape, event),
    withoutAccount: [],
    deploy: { dropsEvents: false },
  };
}

/** Puts the file where it can be run. Rejects with `XError` when that is not possible. */
export async function openRunTarget(
  runtime: Runtime,
  options: SingleRunOptions,
  watching: RunObservation,
): Promise<RunTarget> {
  try {
    return await deploySource(runtime, options, watching);
  } catch (error) {
    if (!XError.is(error) || error.code !== "invalid_component" || !looksLikeWorkflow(options.file)) throw error;
    return registerWorkflow(runtime, options);
  }
}
