import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { createRuntime, type Engine, type RuntimeOptions } from "@x/runtime";
import { source } from "@x/testing";

import { messageText } from "../../packages/cli/src/dev/message-text.ts";
import type { DevMessage } from "../../packages/cli/src/dev/message.ts";
import { openSession } from "../../packages/cli/src/dev/session.ts";
import { lintedLines, lintFile } from "../../packages/cli/src/lint/lint.ts";
import { runOnEngine } from "../../packages/cli/src/run/single-run.ts";
import { resultText } from "../../packages/cli/src/run/result-text.ts";
import { failureText } from "../../packages/cli/src/terminal/failure.ts";
import { withFailedLine } from "../../packages/cli/src/terminal/code-frame.ts";
import type { Mistake, Tool } from "./mistake.ts";

interface Place {
  readonly file: string;
  readonly root: string;
  readonly engine: Engine;
  readonly packages: RuntimeOptions["packages"];
}

type Report = (mistake: Mistake, place: Place) => Promise<string>;

const runReport: Report = async ({ event, props = {} }, { file, root, engine, packages }) => {
  const runtime = packages === undefined ? {} : { packages };
  const options = { file, root, props, event, emitOnDeploy: true, hooks: true, times: 1, runtime };
  return runOnEngine(options, engine, (done) => resultText(done, root)).catch((error: unknown) =>
    failureText(withFailedLine(error, root)),
  );
};

const devReport: Report = async ({ event, props = {} }, { file, root, engine, packages }) => {
  const lines: string[] = [];
  const ran = Promise.withResolvers<void>();
  const print = (message: DevMessage): void => {
    if (message.message === "serving") return;
    lines.push(messageText(message, 0, false).replace(/^\d\d:\d\d:\d\d {2}/, ""));
    if (message.message === "run") ran.resolve();
  };
  let session: ReturnType<typeof openSession> | undefined;
  const runtime = await createRuntime({
    engine,
    ...(packages !== undefined && { packages }),
    observe: (observed) => session?.observe(observed),
  });
  const options = { files: [file], root, props, accounts: {}, event, runOnChange: false, data: root, print };
  session = openSession(runtime, options);
  try {
    const { files } = await session.load();
    await runtime.start();
    session.start();
    if (files[0]?.source === undefined) ran.resolve();
    else session.act("run");
    await ran.promise;
  } catch (error) {
    lines.push(failureText(error));
  } finally {
    session.stop();
    await runtime.close();
    await session.ended();
  }
  return lines.join("\n");
};

const lintReport: Report = async (_, { file, root, engine, packages }) => {
  await using runtime = await createRuntime({ engine, ...(packages !== undefined && { packages }) });
  const linted = await lintFile(runtime, file, root);
  return lintedLines(linted, false).join("\n");
};

/** Test runners show the hint as a member of the error. */
const hintOf = (error: Error & { readonly hint?: string }): string =>
  error.hint === undefined ? "" : `hint: ${error.hint}`;

const harnessReport: Report = async ({ event, props = {} }, { file, root }) => {
  await using feed = source(pathToFileURL(file), { props, root });
  let failure = "";
  try {
    await feed.deploy();
    await feed.run(event);
  } catch (error) {
    failure = error instanceof Error ? `${error.message}\n${error.stack ?? ""}\n${hintOf(error)}` : String(error);
  }
  const logs = feed.logs.map(({ level, message }) => `${level}  ${message}`);
  const lines = failure
    .split("\n")
    .filter((line) => !/^\s+at .*(?:node:|node_modules|packages\/|test\/mistakes)/.test(line));
  return [...logs, ...new Set(lines)].join("\n");
};

export const everyTool: readonly Tool[] = ["run", "dev", "lint", "harness"];

const tools: Readonly<Record<Tool, Report>> = {
  run: runReport,
  dev: devReport,
  lint: lintReport,
  harness: harnessReport,
};

/** Replaces what differs between runs. */
function settled(text: string, folder: string): string {
  return (
    stripVTControlCharacters(text)
      .replaceAll(/\(\d+ ms, CPU [\d.]+ ms(?:, memory [\d.]+ MB)?\)/g, "(…)")
      .replaceAll(/(a service ticks) .*/g, "$1 …")
      .replaceAll(/(http:\/\/127\.0\.0\.1:1\/) -> .*/g, "$1 -> …")
      // A path may be relative to the working directory of the tests.
      .replaceAll(/(?:\.\.\/)+(?:[^\s:/]+\/)*?x-mistake-\w+\/project\//g, "")
      .replaceAll(`${folder}/project/`, "")
      .replaceAll(folder, "")
      .replaceAll(/"timestamp":\d+/g, '"timestamp":0')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d{2,}/g, "http://127.0.0.1:7777")
      .replaceAll(/\bdc_\w+/g, "dc_…")
      .replaceAll(/\/in\/\w+/g, "/in/…")
      .replaceAll(/[^\S\n]+$/gm, "")
  );
}

/** The message of each tool for a mistake. */
export async function reportMistake(
  mistake: Mistake,
  engine: Engine,
  packages: RuntimeOptions["packages"],
): Promise<ReadonlyMap<Tool, string>> {
  const folder = await mkdtemp(join(tmpdir(), "x-mistake-"));
  const root = join(folder, "project");
  try {
    await mkdir(root);
    for (const [name, text] of Object.entries({ ...mistake.files, "feed.js": mistake.code, "package.json": "{}" }))
      await writeFile(join(root, name), text);
    const project = { file: join(root, "feed.js"), root, engine, packages };
    const entries: [Tool, string][] = [];
    for (const tool of mistake.tools ?? everyTool)
      entries.push([tool, settled(await tools[tool](mistake, project), folder)]);
    return new Map(entries);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
