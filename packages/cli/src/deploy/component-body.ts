import { resolve } from "node:path";

import { checkFile } from "../arguments/path.ts";
import { isCodedError, ServiceError } from "../errors.ts";

/** The members of a request that name a component by its files. */
export interface ComponentBody {
  readonly component_files: { readonly [name: string]: string };
  readonly component_entry: string;
}

/** The files of a component, as a service gets them. Throws for code that cannot be bundled here. */
export async function readComponentBody(file: string, root?: string): Promise<ComponentBody> {
  checkFile(file);
  // Loaded here: commands that only ask a service need no runtime.
  const { readComponentFiles } = await import("@x/runtime");
  const { files, entry } = await readComponentFiles({ file: resolve(file), ...(root !== undefined && { root }) });
  return { component_files: files, component_entry: entry };
}

/** A refusal of a service, with the name of the file here. */
export function ofFile(error: unknown, file: string): unknown {
  if (!isCodedError(error)) return error;
  return new ServiceError({ error: `${file}: ${error.message}`, code: error.code, details: error.details });
}
