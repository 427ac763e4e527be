import type { AbsentImport } from "../contract.ts";

/** In source maps, what stands for imports that lead nowhere. */
export const stubPrefix = "absent:";

/** What the guest's code throws that stands for such an import. */
export const absentText = ({ specifier, importer, reason }: AbsentImport): string =>
  `Cannot find module "${specifier}" imported by ${importer}: ${reason}`;
