import type { Source } from "@x/runtime";

type SourceAppEvents = NonNullable<Source["appEvents"]>[string];

import type { Flag } from "../arguments/arguments.ts";
import { UsageError } from "../errors.ts";

export const appEventFlag: Flag = {
  name: "app-event",
  value: "NAME",
  about: "the event of --event is one of an app with this name, which the component must listen to",
};

const maxShown = 20;

/** Throws `UsageError` unless one of the props listens to events of an app with this name. */
export function checkAppEvent(hooks: readonly Pick<SourceAppEvents, "names">[], name: string): void {
  if (hooks.length === 0) throw new UsageError("--app-event needs a prop of type $.interface.apphook; there is none");
  if (hooks.some(({ names }) => names.length === 0 || names.includes(name))) return;
  const names = [...new Set(hooks.flatMap((hook) => hook.names))];
  const more = names.length > maxShown ? ", …" : "";
  throw new UsageError(
    `The component does not listen to ${name}; its events are ${names.slice(0, maxShown).join(", ")}${more}`,
  );
}
