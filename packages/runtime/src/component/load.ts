import { sha256Hex } from "../ids.ts";
import type { Component } from "../model.ts";
import { inputName } from "./bundler.ts";
import type { Bundled, Bundler, CodeInput, ComponentLoader, Describe, FindKnown, LoadedComponent } from "./contract.ts";
import { createEvaluate } from "./evaluate.ts";
import { invalidComponent, parseShape, warmShapes } from "./shape.ts";
import type { CheckCron } from "./timer-value.ts";

export interface LoaderOptions {
  readonly bundler: Bundler;
  /** Fetches and bundles. */
  readonly bundleUrl: (url: string) => Promise<Bundled>;
  /** Evaluates a bundle in the sandbox, without any capability. */
  readonly describe: Describe;
  readonly checkCron: CheckCron;
}

/** Code to component: bundle, evaluate, read the shape. */
export function createComponentLoader({ bundler, bundleUrl, describe, checkCron }: LoaderOptions): ComponentLoader {
  const evaluate = createEvaluate(describe);

  const bundle = (input: CodeInput): Promise<Bundled> =>
    "code" in input || "file" in input ? bundler.bundle(input) : bundleUrl(input.url);

  async function load(input: CodeInput): Promise<LoadedComponent>;
  async function load(input: CodeInput, findKnown: FindKnown): Promise<LoadedComponent | Component>;
  async function load(input: CodeInput, findKnown?: FindKnown): Promise<LoadedComponent | Component> {
    const bundling = bundle(input);
    // While another process works.
    warmShapes();
    const { files, ...bundled } = await bundling;
    const known = await findKnown?.({ contentHash: bundled.contentHash, files });
    if (known) return known;
    const name = "code" in input || "file" in input ? inputName(input) : (files[0] ?? "");
    const shape = parseShape(await evaluate(bundled, name, invalidComponent), checkCron, name);
    const componentUrl = ("file" in input ? undefined : input.url) ?? null;
    return { ...bundled, codeHash: sha256Hex(bundled.code), componentUrl, shape };
  }

  return { load };
}
