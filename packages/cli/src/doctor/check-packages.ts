import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { findPackageManager } from "../package-manager.ts";
import { createCheck, type Finding } from "./finding.ts";

const check = createCheck("packages");

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** The packages of a `node_modules`, by their names. */
const packagesIn = (modules: string): string[] =>
  namesIn(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? namesIn(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );

/** The systems that the installed esbuild has a program for, such as `linux-x64`; empty without esbuild. */
function systemsIn(modules: string): string[] {
  const stored = namesIn(join(modules, ".pnpm")).flatMap((name) => /^@esbuild\+(.+)@/.exec(name)?.[1] ?? []);
  return [...namesIn(join(modules, "@esbuild")), ...stored];
}

/** The nearest folder with installed packages; undefined when there is none. */
function findProject(folder: string): string | undefined {
  if (existsSync(join(folder, "node_modules")) || existsSync(join(folder, ".pnp.cjs"))) return folder;
  return dirname(folder) === folder ? undefined : findProject(dirname(folder));
}

/** The store of pnpm that a package lies in, where projects share their packages; undefined for a package of one project. */
const findGlobalStore = (path: string): string | undefined =>
  /^(.+)[\\/]links[\\/]@[^\\/]*[\\/][^\\/]+[\\/][^\\/]+[\\/][0-9a-f]{40,}[\\/]node_modules[\\/]/.exec(path)?.[1];

function checkModules(project: string, system: string): Finding {
  const modules = join(project, "node_modules");
  const links = packagesIn(modules).filter((name) => lstatSync(join(modules, name)).isSymbolicLink());
  const { install } = findPackageManager();
  const dangling = links.find((name) => !existsSync(join(modules, name)));
  if (dangling !== undefined) {
    const target = resolve(dirname(join(modules, dangling)), readlinkSync(join(modules, dangling)));
    const advice = `remove node_modules and install on this machine, as the user of the service: ${install}`;
    return check.problem(`${dangling} is a link to ${target}, which is not here or may not be read`, advice);
  }
  const systems = systemsIn(modules);
  if (systems.length > 0 && !systems.includes(system)) {
    const advice = `remove node_modules and install on this machine: ${install}`;
    return check.problem(`node_modules is for ${systems.join(", ")}, and this is ${system}`, advice);
  }
  const [store] = links.flatMap((name) => findGlobalStore(realpathSync(join(modules, name))) ?? []);
  if (store !== undefined) {
    const advice = "keep that store, readable for the user of the service; elsewhere, install again: pnpm install";
    return check.warning(`node_modules is links to the store of pnpm in ${store}`, advice);
  }
  return check.ok(modules);
}

/**
 * Whether the packages of the project in this folder are complete for this system. `pnp`: this process finds packages by Yarn's
 * Plug'n'Play.
 */
export function checkPackages(folder: string, system: string, pnp: boolean): Finding {
  const project = findProject(resolve(folder));
  if (project === undefined) return check.skipped("no packages are installed in this folder or above");
  const loader = join(project, ".pnp.cjs");
  if (pnp) return check.ok(`Yarn's Plug'n'Play, ${loader}`);
  if (existsSync(loader) && packagesIn(join(project, "node_modules")).length === 0) {
    const advice = "start it with yarn x, or write nodeLinker: node-modules to .yarnrc.yml and run yarn install";
    return check.problem(
      `${project} has Yarn's Plug'n'Play and no node_modules, and this x was started without it`,
      advice,
    );
  }
  return checkModules(project, system);
}
