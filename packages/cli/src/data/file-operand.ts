import type { Arguments } from "../arguments/arguments.ts";
import { UsageError } from "../errors.ts";

/** The one operand FILE of a command. Throws `UsageError`. */
export function readFileOperand(command: string, args: Arguments): string {
  const [file, extra] = args.operands;
  if (file === undefined) throw new UsageError(`Which FILE: x ${command} FILE?`);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many: x ${command} FILE`);
  return file;
}
