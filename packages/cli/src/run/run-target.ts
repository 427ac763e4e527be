import {
  type ComponentPackage,
  type ComponentShape,
  type Json,
  type NoteFiles,
  type ObservedCall,
  type ObservedExecution,
  type Runtime,
  XError,
} from "@x/runtime";

import { accountProps, type AccountsByApp, propsWithoutAccount, unusedAccounts } from "../arguments/accounts-file.ts";
import { UsageError } from "../errors.ts";
import { looksLikeWorkflow } from "../deploy/workflow-text.ts";
import { inLine } from "../terminal/visible.ts";
import { type GivenProps, givenNames } from "../arguments/values.ts";
import type { RuntimeFlagOptions } from "../arguments/runtime-flags.ts";

/** The options of `x run`. */
export interface SingleRunOptions {
  readonly file: string;
  /** The folder that its imports must be in. */
  readonly root: string;
  readonly props: { readonly [prop: string]: Json };
  /** Values as texts, for the types of the props. */
  readonly propTexts?: GivenProps["propTexts"];
  readonly accounts?: AccountsByApp | undefined;
  readonly event: Json | undefined;
  /** The name of the event, which is one of an app. */
  readonly appEvent?: string | undefined;
  /** Keep the events of the deploy hook. */
  readonly emitOnDeploy: boolean;
  /** False runs none of the hooks. */
  readonly hooks: boolean;
  readonly times: number;
  /** Run in Node, where debuggers can attach, instead of the sandbox. */
  readonly inNode?: boolean;
  /** The base of endpoint URLs, for hooks that register them. */
  readonly publicUrl?: string | undefined;
  readonly runtime: RuntimeFlagOptions;
}

/** The source or workflow to run. */
export interface RunTarget {
  readonly id: string;
  readonly component: {
    readonly name: string;
    readonly version: string;
    readonly packages?: readonly ComponentPackage[];
  };
  readonly withoutAccount: readonly string[];
  /** Of the component. */
  readonly hooks: ComponentShape["hooks"];
}

export interface RunObservation {
  /** The executions that have ended so far. */
  readonly observed: readonly ObservedExecution[];
  /** Requests of `additionalProps` so far. */
  readonly asked: readonly ObservedCall[];
  readonly noted?: NoteFiles | undefined;
}

/** Adds to a failure of a hook or of `additionalProps` the requests and the app props without an account, as a run's has them. */
function withTrace(error: unknown, { observed, asked }: RunObservation, withoutAccount: readonly string[]): unknown {
  const calls = [...asked, ...observed.flatMap((each) => each.calls)];
  if (XError.is(error) && (error.code === "hook_failed" || error.code === "additional_props_failed"))
    Object.assign(error.details, { calls, without_account: withoutAccount });
  return error;
}

async function deploySource(
  runtime: Runtime,
  { file, root, accounts, emitOnDeploy, hooks, props: values, propTexts = {} }: SingleRunOptions,
  watching: RunObservation,
): Promise<RunTarget> {
  const { id: componentId, shape } = await runtime.saveComponent({ file, root }, watching.noted);
  const unused = accounts && unusedAccounts(`${shape.name} has`, [shape], accounts);
  if (unused !== undefined) console.error(inLine(`warning: ${unused}`));
  const props = { ...(accounts && accountProps(shape, accounts)), ...values };
  const withoutAccount = propsWithoutAccount(shape, { ...props, ...propTexts }).map(({ name }) => name);
  try {
    // A restored source runs no hook.
    const without = hooks ? {} : { restored: {} };
    const { source, component } = await runtime.deploy({ componentId, props, propTexts, emitOnDeploy, ...without });
    const { name, version } = component.shape;
    const { packages } = component;
    return {
      id: source.id,
      component: { name, version, ...(packages && { packages }) },
      withoutAccount,
      hooks: component.shape.hooks,
    };
  } catch (error) {
    throw withTrace(error, watching, withoutAccount);
  }
}

async function registerWorkflow(runtime: Runtime, options: SingleRunOptions): Promise<RunTarget> {
  const { file, root } = options;
  const [prop] = givenNames(options);
  const { id, name } = await runtime.workflow({ file, root });
  if (prop !== undefined)
    throw new UsageError(
      `${name} is a workflow: its steps have the values of their props, so --props ${prop} has no effect`,
    );
  return { id, component: { name, version: "" }, withoutAccount: [], hooks: [] };
}

/** Deploys or registers the file. Rejects with `XError` when that fails. */
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
