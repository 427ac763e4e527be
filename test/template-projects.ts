import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { runHere } from "../packages/cli/src/run-here.cases.ts";

const templates = ["timer", "http", "polling", "webhook", "app", "app-events", "action"];

/** Arguments of `x new` for one project of each template in each language. */
export const projects = templates.flatMap((template) =>
  (["js", "ts"] as const).map((language) => {
    const name = `${template}-${language}`;
    return { template, language, name, file: `${name}/${name}.${language}` };
  }),
);

/** Creates the projects; returns their folder, which is inside the workspace, so that imports of the packages resolve. */
export async function writeProjects(root: string): Promise<string> {
  await mkdir(join(root, "test/.tmp"), { recursive: true });
  const folder = await mkdtemp(join(root, "test/.tmp/templates-"));
  for (const { template, language, name } of projects) {
    const args = ["--template", template, "--dir", join(folder, name), ...(language === "ts" ? ["--ts"] : [])];
    const { code, out } = await runHere(["new", name, ...args]);
    if (code !== 0) throw new Error(`x new ${name} ended with ${code}: ${out}`);
  }
  return folder;
}

/** Compiles all projects in TypeScript with one compiler, with their own settings. */
export async function writeTypedProjects(root: string): Promise<string> {
  const folder = await writeProjects(root);
  const typed = projects.filter(({ language }) => language === "ts");
  const settings = await readFile(join(folder, typed[0]?.name ?? "", "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(settings) as { compilerOptions: object };
  const config = { compilerOptions, include: typed.map(({ name }) => `${name}/*.ts`) };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  return folder;
}
