import { isAbsolute, join, relative, resolve } from "node:path";

import { createRuntime, findRoot, type Problem, type Runtime, XError } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { paint, type Style } from "../terminal/terminal-text.ts";
import type { Command } from "../command.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { findComponentFiles, isFolder, findSkipReason } from "../arguments/component-files.ts";
import { checkFile } from "../arguments/path.ts";
import { looksLikeWorkflow } from "../deploy/workflow-text.ts";
import { rootFlag } from "../arguments/runtime-flags.ts";
import { hanging, inLine, jsonText } from "../terminal/visible.ts";
import { UsageError } from "../errors.ts";
import { createLocator, type Finding, type Severity, warningFindings } from "./finding.ts";
import { lintComponent } from "./rules.ts";

interface Linted {
  /** Its name on the command line. */
  readonly file: string;
  /** Name of the component; absent when it cannot be saved. */
  readonly component?: string;
  /** Why the file was not checked. */
  readonly skipped?: string;
  readonly findings: readonly Finding[];
}

type LocatedProblem = Problem & { readonly file?: string; readonly line?: number; readonly column?: number };

/** The problems of a file that cannot be saved, as findings; rethrows errors of the environment. */
function errorFindings(error: unknown, folder: string): Finding[] {
  const exitCode = exitCodeOf(error);
  if (!XError.is(error) || (exitCode !== exitCodes.component && exitCode !== exitCodes.limit)) throw error;
  const { code, message, details } = error;
  const listed: readonly LocatedProblem[] = details.errors?.length ? details.errors : [{ path: "", message }];
  // The message about a package has its name and the importing file.
  const problems = code.startsWith("package_") ? listed.slice(0, 1).map((each) => ({ ...each, message })) : listed;
  const { hint } = details;
  const fix = typeof hint === "string" ? `${hint}. ` : "";
  return problems.map(({ path, message: text, file, line, column }) => ({
    rule: code,
    severity: "error",
    message: [path, text.replace(`${file}:${line}:${column}: `, "")].filter((part) => part !== "").join(": "),
    fix: `${fix}See x explain ${code}.`,
    ...(file !== undefined && { file: join(folder, file) }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }));
}

type FileInput = { readonly file: string; readonly root: string };

/** Checks a workflow by registering it; there are no lint rules for workflows. */
async function lintWorkflow(runtime: Runtime, file: string, input: FileInput): Promise<Linted> {
  try {
    return { file, component: (await runtime.workflow(input)).name, findings: [] };
  } catch (error) {
    return { file, findings: errorFindings(error, input.root) };
  }
}

/** Checks one file; `root` is the folder that its imports must be in. */
export async function lintFile(runtime: Runtime, file: string, root: string | undefined): Promise<Linted> {
  const skipped = findSkipReason(file);
  if (skipped !== undefined) return { file, skipped, findings: [] };
  // Locations are relative like the file name.
  const folder = root ?? (isAbsolute(file) ? findRoot(file) : relative(process.cwd(), findRoot(file)));
  const input: FileInput = { file: resolve(file), root: resolve(folder) };
  try {
    const component = await runtime.saveComponent(input);
    const texts = await runtime.componentTexts(component.id);
    const locationOf = createLocator(texts, folder);
    const linted = { ...component, ...texts };
    const findings = [...warningFindings(linted, folder), ...lintComponent(linted)].map(({ offset, ...finding }) => ({
      ...finding,
      ...(offset !== undefined && locationOf(offset)),
    }));
    return { file, component: component.shape.name, findings };
  } catch (error) {
    if (XError.is(error) && error.code === "invalid_component" && looksLikeWorkflow(file))
      return lintWorkflow(runtime, file, input);
    return { file, findings: errorFindings(error, folder) };
  }
}

const styles: Readonly<Record<Severity, Style>> = { error: "red", warning: "yellow", info: "cyan" };
const labels: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "hint" };

function findingLines(file: string, finding: Finding): string[] {
  const { rule, severity, message, fix, line, column } = finding;
  const shown = finding.file === undefined ? file : relative(process.cwd(), resolve(finding.file));
  const location = [shown, line, column].filter((part) => part !== undefined).join(":");
  return [
    `${inLine(location)}  ${paint(styles[severity], labels[severity])}  ${hanging(message, "    ")}  ${paint("dim", rule)}`,
    `    ${hanging(fix, "    ")}`,
  ];
}

/** The result of one file as text; hints only when asked for. */
export const lintedLines = ({ file, skipped, findings }: Linted, withHints: boolean): string[] =>
  skipped === undefined
    ? findings
        .filter(({ severity }) => withHints || severity !== "info")
        .flatMap((finding) => findingLines(file, finding))
    : [paint("dim", `${inLine(file)}  skipped: ${inLine(skipped)}`)];

const countOf = (linted: readonly Linted[], severity: Severity): number =>
  linted.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;

/** Exit code 1 for errors, with `strict` also for warnings. */
export const lintExitCode = (found: { readonly errors: number; readonly warnings: number }, strict: boolean): number =>
  found.errors > 0 || (strict && found.warnings > 0) ? exitCodes.component : exitCodes.ok;

async function lint(args: Arguments): Promise<number> {
  if (args.operands.length === 0) throw new UsageError("Which FILE?");
  const files = args.operands.flatMap((each) => (isFolder(each) ? findComponentFiles([each]).files : [each]));
  for (const file of files) checkFile(file);
  await using runtime = await createRuntime({ workers: 1 });
  const linted: Linted[] = [];
  const isJson = args.has("json");
  const isStrict = args.has("strict");
  for (const file of files) {
    const found = await lintFile(runtime, file, args.text("root"));
    linted.push(found);
    // At once: a folder may have hundreds of files.
    const lines = isJson ? [] : lintedLines(found, isStrict);
    if (lines.length > 0) console.log(lines.join("\n"));
  }
  const [errors = 0, warnings = 0, infos = 0] = (["error", "warning", "info"] as const).map((severity) =>
    countOf(linted, severity),
  );
  const exitCode = lintExitCode({ errors, warnings }, args.has("strict"));
  if (isJson) console.log(jsonText({ files: linted, errors, warnings, infos, exit_code: exitCode }, 2));
  else {
    const skipped = linted.filter((each) => each.skipped !== undefined);
    const counts = `${linted.length - skipped.length} checked${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`;
    const hints = `hints ${infos}${infos > 0 && !isStrict ? " (--strict shows them)" : ""}`;
    console.log(`${counts}: errors ${errors}, warnings ${warnings}, ${hints}`);
  }
  return exitCode;
}

/** `x lint`: checks components without running them. */
export const lintCommand: Command = {
  operands: "FILE…",
  details: [
    "Reports what prevents a deploy, and what works but may surprise. Reports only definite problems: rules skip code that",
    "builds names at run time. Exit code 1 with errors, and with --strict also with warnings; hints, which --strict shows,",
    "never count: a key or a description that is missing, an option without a label.",
    "x explain describes each rule and error code. The warnings of a deploy are included: unknown members, hooks and fields",
    "of props and timers, and members of this that the component does not declare.",
    "Tests (*.test.js) and apps are skipped; an app is checked with the components that use it.",
  ].join("\n"),
  flags: [
    { name: "strict", about: "show hints too, and exit code 1 with warnings too" },
    rootFlag,
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x lint examples/npm-releases/npm-releases.ts", "x lint sources/*.ts --strict --json"],
  run: lint,
};
