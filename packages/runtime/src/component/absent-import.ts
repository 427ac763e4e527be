import { XError } from "../errors.ts";
import type { AbsentImport } from "./contract.ts";

/** What the guest's code throws that stands for such an import. */
export const absentText = ({ specifier, importer, reason }: AbsentImport): string =>
  `Cannot find module "${specifier}" imported by ${importer}: ${reason}`;

const codes = { absent: "package_unresolved", native: "package_native", refused: "package_refused" } as const;

/** The error of the package that a module could not do without; undefined when it failed for another reason. */
export function findAbsent(error: unknown, absent: readonly AbsentImport[], name: string): XError | undefined {
  if (!XError.is(error)) return undefined;
  const found = absent.find((each) => error.message.includes(absentText(each)));
  if (!found) return undefined;
  const { specifier, importer, reason, why } = found;
  const chain = [name, importer, specifier];
  return new XError(codes[why], [specifier, `${name} -> ${importer}`, reason], {
    details: { ...error.details, package: specifier, chain, reason: why },
    cause: error,
  });
}
