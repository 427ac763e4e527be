import type { AppEventInput, Json, Runtime, Source, SourceAppEvents } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import { checkNames } from "./known-names.ts";
import type { TestHistory } from "./history.ts";
import type { Steps } from "./steps.ts";
import type { AppEventOptions, SourceUnderTest } from "./under-test.ts";

const hooksOf = ({ appEvents = {} }: Pick<Source, "appEvents">): readonly SourceAppEvents[] => Object.values(appEvents);

/** The names of all apphook props of a source; none when one of them gets every event. */
function eventNamesOf(source: Pick<Source, "appEvents">): readonly string[] {
  const hooks = hooksOf(source);
  return hooks.some(({ names }) => names.length === 0) ? [] : [...new Set(hooks.flatMap(({ names }) => names))];
}

/** The app whose event a source gets with one of these names. Throws `HarnessError`. */
function appFor(source: Pick<Source, "appEvents">, wanted: readonly string[]): string {
  const hooks = hooksOf(source);
  if (hooks.length === 0) throw new HarnessError("appEvent() needs a prop of type $.interface.apphook; there is none.");
  const found = hooks.find(({ names }) => names.length === 0 || names.some((name) => wanted.includes(name)));
  if (found) return found.app;
  const shown = eventNamesOf(source).slice(0, 20).join(", ");
  throw new HarnessError(`The component does not listen to ${wanted.join(", ")}; its eventNames are ${shown}.`);
}

/** Sends an event of an app to the source under test. Throws `HarnessError` when it does not get it. */
async function sendAppEvent(
  runtime: Pick<Runtime, "appEvents" | "idle">,
  source: Pick<Source, "id" | "appEvents">,
  name: string | readonly string[],
  data: unknown,
  given: AppEventOptions,
): Promise<void> {
  checkNames("option", given, ["account", "id"]);
  const { id, account } = given;
  const names = typeof name === "string" ? [name] : name;
  const event: AppEventInput = {
    ...(id !== undefined && { id }),
    names,
    ...(account && { accounts: [account] }),
    data: data as Json,
  };
  const [result] = await runtime.appEvents(appFor(source, names), [event]);
  if (result?.duplicate)
    throw new HarnessError(`The app has sent the event ${JSON.stringify(id)} before: it runs nothing.`);
  if (!result?.sources.includes(source.id))
    throw new HarnessError("The event is for another account: the source under test does not get it.");
  await runtime.idle();
}

interface AppEventParts {
  readonly steps: Pick<Steps, "step" | "need">;
  readonly history: Pick<TestHistory, "runs">;
  deployed(): Pick<Source, "appEvents"> | undefined;
}

/** Adds the events of apps to a source under test. */
export function withAppEvents<Own extends object>(
  own: Own,
  { steps, history, deployed }: AppEventParts,
): Own & Pick<SourceUnderTest, "appEvent" | "eventNames"> {
  const added: Pick<SourceUnderTest, "appEvent" | "eventNames"> = {
    appEvent: (name, data, given = {}) =>
      steps.step(added.appEvent, `appEvent ${String(name)}`, async (runtime, mark) => {
        await sendAppEvent(runtime, steps.need("appEvent()"), name, data, given);
        const [run] = history.runs(mark);
        if (!run) throw new HarnessError("The runtime did not report the run.");
        return run;
      }),
    get eventNames() {
      return eventNamesOf(deployed() ?? {});
    },
  };
  return Object.defineProperties(own, Object.getOwnPropertyDescriptors(added)) as Own & typeof added;
}
