import { CassetteError } from "../cassette/drift.ts";
import { ComponentError } from "../component-error.ts";
import { findComponent, type GivenCode, type GivenComponent, type ImportedComponent } from "../component/given.ts";
import { callerFrames, withTestFrames } from "../frames.ts";
import { HarnessError } from "../harness-error.ts";
import { counted, indented } from "../shown.ts";
import { source } from "../source.ts";
import type { SourceOptions } from "../source-options.ts";
import { createTestRuntime } from "../test-runtime.ts";
import { UnroutedError } from "../traffic/unrouted.ts";
import { isAnswerer } from "../traffic/upstream.ts";
import type { SourceUnderTest } from "../under-test.ts";
import { type Check, type CheckContext, type ConformanceOptions, createStimulus } from "./context.ts";
import { emitChecks } from "./emit-checks.ts";
import { lifeChecks } from "./life-checks.ts";

/** The result of a check. */
export interface CheckResult {
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The problem, or the reason why the check was skipped. */
  readonly text?: string;
}

/** A component fails checks that every source should pass. */
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
 * Runs the checks that every source should pass, each on a new source. Resolves with the results, or rejects with
 * `ConformanceError` when checks fail. Pass a function to make new options for each check, for routes with state.
 */
export async function conformance<C extends ImportedComponent = ImportedComponent>(
  tested: C | GivenCode,
  given: ConformanceOptions<C> | (() => ConformanceOptions<C>) = {},
): Promise<readonly CheckResult[]> {
  const frames = callerFrames(conformance);
  const component: GivenComponent = tested;
  const optionsNow = (): ConformanceOptions => (typeof given === "function" ? given() : given);
  try {
    const { shape } = await readComponent(component, optionsNow());
    const types = shape.props.map(({ type }) => type);
    const results: CheckResult[] = [];
    for (const check of [...lifeChecks, ...emitChecks]) {
      const options = optionsNow();
      const opened: SourceUnderTest[] = [];
      const context: CheckContext = {
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
        results.push(await resultOf(check, context));
      } finally {
        await Promise.all(opened.map((feed) => feed.close()));
      }
    }
    if (results.some(({ status }) => status === "failed")) throw new ConformanceError(shape.name, results);
    return results;
  } catch (error) {
    throw withTestFrames(error, frames);
  }
}

async function readComponent(component: GivenComponent, options: ConformanceOptions) {
  const testRuntime = createTestRuntime(findComponent(component, options.root), options);
  try {
    return await testRuntime.component();
  } finally {
    await testRuntime.close();
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
  if (error instanceof ComponentError && error.location !== undefined) lines.push(`  ${error.location}`);
  if (error.cause instanceof Error) lines.push(`Caused by: ${error.cause.message}`);
  return lines.join("\n");
}

async function resultOf(check: Check, context: CheckContext): Promise<CheckResult> {
  const { title } = check;
  const reason = check.skip?.(context);
  if (reason !== undefined) return { title, status: "skipped", text: reason };
  try {
    const problem = await check.find(context);
    return problem === undefined ? { title, status: "passed" } : { title, status: "failed", text: problem };
  } catch (error) {
    // A missing route, a wrong recording and other mistakes of the test are not problems of the component.
    if ([UnroutedError, CassetteError, HarnessError].some((mistake) => error instanceof mistake)) throw error;
    return { title, status: "failed", text: textOf(error) };
  }
}
