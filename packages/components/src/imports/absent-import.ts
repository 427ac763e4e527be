import type { AbsentImport } from "../contract.ts";

/** Prefix in source maps of placeholders for missing imports. */
export const stubPrefix = "absent:";

/** The message of the error that such a placeholder throws. */
export const absentText = ({ specifier, importer, reason }: AbsentImport): string =>
  `Cannot find module "${specifier}" imported by ${importer}: ${reason}`;
