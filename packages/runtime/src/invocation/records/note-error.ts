import { recordedError } from "../../model/error-catalogue/guest-error.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { newSortableId } from "../../process/ids.ts";
import type { CachedSource } from "../lane/source-cache.ts";
import { errorRecord } from "./error-record.ts";
import { noted, type Noted, type NoteRules } from "./noted.ts";
import { secretMask } from "../secrets/secret-mask.ts";
import { Appender } from "../settle.ts";

/** What goes wrong around an entry that is not called, as an `$errors` record of its source. */
export function noteError(
  cached: CachedSource,
  { entry, code, text }: { readonly entry: string; readonly code: ErrorCode; readonly text: string },
  rules: NoteRules,
): Noted {
  const { now } = rules;
  const { source, component } = cached;
  const appender = new Appender(cached, now, undefined);
  const failed = { executionId: newSortableId(now), type: "HOOK", entry, event: "", at: now } as const;
  const mask = secretMask(component, source, {});
  appender.add("$errors", errorRecord(source, failed, recordedError(code, text), { now, mask }));
  return noted(cached, appender, rules);
}
