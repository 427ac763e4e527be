import { join, relative } from "node:path";

import type { Json } from "@x/runtime";

import type { ConfigFile } from "../apply/config-file.ts";
import type { AccountsByApp } from "../arguments/accounts-file.ts";

/** A source as a config has it. */
export interface NamedSource {
  readonly name: string;
  readonly props: { readonly [prop: string]: Json };
  /** False drops the events of its deploy hook. */
  readonly emitOnDeploy: boolean;
}

/** What `x dev` runs of a config. */
export interface DevConfig {
  readonly files: readonly string[];
  /** The source of each file, whose name triggers of workflows may have. */
  readonly sources: ReadonlyMap<string, NamedSource>;
  readonly accounts: AccountsByApp;
  /** What is left out, and why. */
  readonly notes: readonly string[];
}

/** The files of a config with their values; of two sources with one file only the first is taken. */
export function readDevConfig({ config, file: configName, folder }: ConfigFile): DevConfig {
  const shown = (file: string): string => relative(process.cwd(), join(folder, file));
  const sources = new Map<string, NamedSource>();
  const accounts: { [app: string]: AccountsByApp[string] } = {};
  const notes: string[] = [];
  for (const source of config.sources) {
    const { name, file, props, accounts: used, emitOnDeploy } = source;
    if (file === undefined) notes.push(`source ${name} is left out: it has no file`);
    else if (sources.has(shown(file))) notes.push(`source ${name} is left out: another one has its file`);
    else sources.set(shown(file), { name, props, emitOnDeploy });
    for (const [appOrProp, account] of Object.entries(used)) {
      const auth = config.accounts.find((each) => each.name === account)?.auth;
      if (auth && file !== undefined) accounts[appOrProp] ??= auth;
    }
  }
  const others = [
    ...config.webhooks.map(({ name }) => name),
    ...config.subscriptions.map(({ from }) => `${from} -> …`),
  ];
  if (others.length > 0) notes.push(`webhooks and subscriptions of ${configName} are made by x serve and x apply`);
  return { files: [...sources.keys(), ...config.workflows.map(shown)], sources, accounts, notes };
}
