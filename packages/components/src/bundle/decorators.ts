import { type Loader, type PartialMessage, transform } from "esbuild";

import { isBuildFailure } from "./bundle-problem.ts";
import type { TsConfig } from "../imports/tsconfig.ts";

/** True for TypeScript with decorators; false for code that cannot be parsed, which the build reports. */
async function hasDecorators(text: string, loader: Loader): Promise<boolean> {
  if (!text.includes("@")) return false;
  try {
    const { code } = await transform(text, {
      loader,
      target: "es2022",
      logLevel: "silent",
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    });
    return code.includes("__decorateClass(");
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return false;
  }
}

/** The refusal of a file whose decorators would need the types of the code at run time. */
export async function refuseMetadata(
  text: string,
  loader: Loader,
  name: string,
  { name: by }: TsConfig,
): Promise<PartialMessage | undefined> {
  if (!(await hasDecorators(text, loader))) return undefined;
  return {
    text: `${by} sets emitDecoratorMetadata, which cannot be had here, and "${name}" has decorators: remove the option, and give decorators the types that they need as arguments`,
  };
}
