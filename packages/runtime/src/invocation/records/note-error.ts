import { recordedError } from "../../model/error-catalogue/guest-error.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { newSortableId } from "../../process/ids.ts";
import type { Resident } from "../lane/residents.ts";
import { errorRecord } from "./error-record.ts";
import { noted, type Noted, type NoteRules } from "./noted.ts";
import { secretMask } from "../secrets/secret-mask.ts";
import { Appender } from "../settle.ts";

/** What goes wrong around an entry that is not called, as an `$errors` record of its source. */
export function noteError(
  resident: Resident,
  { entry, code, text }: { readonly entry: string; readonly code: ErrorCode; readonly text: string },
  rules: NoteRules,
): Noted {
  const { now } = rules;
  const { source, component } = resident;
  const appender = new Appender(resident, now, undefined);
  const failed = { executionId: newSortableId(now), type: "HOOK", entry, event: "", at: now } as const;
  const mask = secretMask(component, source, {});
  appender.add("$errors", errorRecord(source, failed, recordedError(code, text), { now, mask }));
  return noted(resident, appender, rules);
}
