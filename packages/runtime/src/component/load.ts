import { sha256Hex } from "../ids.ts";
import { inputName } from "./bundler.ts";
import type { Bundled, Bundler, ComponentLoader, Describe } from "./contract.ts";
import { invalidComponent, parseShape } from "./shape.ts";
import { createStackMapper } from "./stack.ts";
import type { CheckCron } from "./timer-value.ts";

export interface LoaderOptions {
  /** Closed with the loader. */
  readonly bundler: Bundler;
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  readonly checkCron: CheckCron;
}

/** Code to component: bundle, evaluate, read the shape. */
export function createComponentLoader({ bundler, describe, checkCron }: LoaderOptions): ComponentLoader {
  const mapStack = createStackMapper();

  const evaluate = async (bundled: Bundled, name: string): Promise<string> => {
    const hash = sha256Hex(bundled.bundle);
    const description = await describe({ hash, code: bundled.bundle });
    if (description.ok) return description.json;
    const { code, name: errorName, message, stack } = description.error;
    const mapped = mapStack(stack, { hash, sourceMap: bundled.sourceMap });
    const place = /\(?([^()\s]+:\d+:\d+)\)?$/m.exec(mapped.split("\n").find((line) => /^\s+at /.test(line)) ?? "")?.[1];
    const problem = `${place === undefined ? "" : `${place}: `}${errorName === "" ? "" : `${errorName}: `}${message}`;
    throw invalidComponent(name, [{ path: "", message: problem }], { stack: mapped, reason: code });
  };

  return {
    async load(input) {
      const name = inputName(input);
      const bundled = await bundler.bundle(input);
      const shape = parseShape(await evaluate(bundled, name), checkCron, name);
      return {
        code: bundled.code,
        codeHash: sha256Hex(bundled.code),
        contentHash: bundled.contentHash,
        componentUrl: ("code" in input ? input.url : undefined) ?? null,
        shape,
        bundle: bundled.bundle,
        sourceMap: bundled.sourceMap,
      };
    },
    close: () => bundler.close(),
  };
}
