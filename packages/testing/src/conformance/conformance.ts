import { createStand } from "../stand.ts";
import { CassetteError } from "../cassette/drift.ts";
import { ComponentError } from "../component-error.ts";
import { callerFrames, placeInTest } from "../frames.ts";
import {
  findComponent,
  type GivenCode,
  type GivenComponent,
  type ImportedComponent,
} from "../component/given-component.ts";
import { HarnessError } from "../harness-error.ts";
import { counted, indented } from "../shown.ts";
import { source } from "../source.ts";
import type { SourceOptions } from "../source-options.ts";
import type { SourceUnderTest } from "../source-under-test.ts";
import { UnroutedError } from "../traffic/unrouted.ts";
import { isAnswerer } from "../traffic/upstream.ts";
import type { Check, Trial } from "./check.ts";
import { emitChecks } from "./emit-checks.ts";
import { lifeChecks } from "./life-checks.ts";
import { type ConformanceOptions, createStimulus } from "./stimulus.ts";

/** What a check said. */
export interface CheckResult {
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  /** What is wrong, or why it was skipped. */
  readonly text?: string;
}

/** A component lacks properties that any source should have. */
export class ConformanceError extends Error {
  override readonly name = "ConformanceError";
  readonly results: readonly CheckResult[];

  constructor(component: string, results: readonly CheckResult[]) {
    const failed = results.filter(({ status }) => status === "failed");
    const texts = [...new Set(failed.map(({ text = "" }) => text))];
    const lines = texts.flatMap((text) => [
      ...failed.filter((each) => (each.text ?? "") === text).map(({ title }) => `- ${title}`),
      indented(text, "    "),
    ]);
    super(`${component} fails ${failed.length} of ${counted(results.length, "check")}:\n${lines.join("\n")}`);
    this.results = results;
  }
}

/**
 * Runs the checks that any source should pass, each on a source of its own. Rejects with `ConformanceError` when some
 * fail. A function gives the options anew for each check, for routes that remember.
 */
export async function conformance<C extends ImportedComponent = ImportedComponent>(
  under: C | GivenCode,
  given: ConformanceOptions<C> | (() => ConformanceOptions<C>) = {},
): Promise<readonly CheckResult[]> {
  const frames = callerFrames(conformance);
  const component: GivenComponent = under;
  const optionsNow = (): ConformanceOptions => (typeof given === "function" ? given() : given);
  try {
    const { shape } = await readComponent(component, optionsNow());
    const types = shape.props.map(({ type }) => type);
    const results: CheckResult[] = [];
    for (const check of [...lifeChecks, ...emitChecks]) {
      const options = optionsNow();
      const opened: SourceUnderTest[] = [];
      const trial: Trial = {
        shape,
        options,
        stimulus: createStimulus(types, options),
        async open(settings) {
          const feed = source(component, {
            ...sourceOptions(options),
            settings: { ...options.settings, ...settings },
          });
          opened.push(feed);
          await feed.deploy();
          return feed;
        },
      };
      try {
        results.push(await resultOf(check, trial));
      } finally {
        await Promise.all(opened.map((feed) => feed.close()));
      }
    }
    if (results.some(({ status }) => status === "failed")) throw new ConformanceError(shape.name, results);
    return results;
  } catch (error) {
    throw placeInTest(error, frames);
  }
}

async function readComponent(component: GivenComponent, options: ConformanceOptions) {
  const stand = createStand(findComponent(component, options.root), options);
  try {
    return await stand.component();
  } finally {
    await stand.close();
  }
}

function sourceOptions({ requests: _requests, events: _events, ...options }: ConformanceOptions): SourceOptions {
  const { routes } = options;
  const repeated = routes && isAnswerer(routes) ? routes.repeated?.() : undefined;
  return repeated ? { ...options, routes: repeated } : options;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = [`${error.name}: ${error.message}`];
  if (error instanceof ComponentError && error.place !== undefined) lines.push(`  ${error.place}`);
  if (error.cause instanceof Error) lines.push(`Caused by: ${error.cause.message}`);
  return lines.join("\n");
}

async function resultOf(check: Check, trial: Trial): Promise<CheckResult> {
  const { title } = check;
  const reason = check.skip?.(trial);
  if (reason !== undefined) return { title, status: "skipped", text: reason };
  try {
    const problem = await check.find(trial);
    return problem === undefined ? { title, status: "passed" } : { title, status: "failed", text: problem };
  } catch (error) {
    // A route that the test lacks, a recording that does not fit, or another mistake says nothing about the component.
    if ([UnroutedError, CassetteError, HarnessError].some((mistake) => error instanceof mistake)) throw error;
    return { title, status: "failed", text: textOf(error) };
  }
}
