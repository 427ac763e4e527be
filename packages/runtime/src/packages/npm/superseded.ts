import pacote from "pacote";

import type { InstallQuestion } from "../messages.ts";
import type { NpmOptions } from "./npm-options.ts";
import { isUnreachable, textOf } from "./problem.ts";

/**
 * Folders of the specifiers to refresh that now mean another version than the locked one. A registry that cannot be reached
 * changes nothing: `offline` then says why.
 */
export async function findSuperseded(
  { roots, lock, refresh }: InstallQuestion,
  options: NpmOptions,
): Promise<{ readonly names: readonly string[]; readonly offline?: string }> {
  let offline: string | undefined;
  const looked = refresh.map(async (specifier) => {
    const root = roots[specifier];
    const folder = lock?.requests[specifier];
    if (!root || folder === undefined) return [];
    try {
      const current = await pacote.manifest(`${root.name}@${root.spec}`, { ...options, preferOnline: true });
      return current.version === lock?.packages[folder]?.version ? [] : [root.folder];
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      offline = textOf(error);
      return [];
    }
  });
  const names = (await Promise.all(looked)).flat();
  return { names, ...(offline !== undefined && { offline }) };
}
