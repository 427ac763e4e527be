import { type BigIntStats, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { type Component, createMemory, type Memory, type Runtime } from "@x/runtime";

import type { ComponentFile } from "./given-component.ts";

interface Kept {
  /** Holds the saved component and nothing else. */
  readonly memory: Memory;
  readonly componentId: string;
  readonly files: readonly string[];
  /** Of the files and their folders, when they were read. */
  readonly state: string;
}

/** Components that tests of this process have used: bundled once, and again when one of their files changes. */
const kept = new Map<string, Kept>();
const mostKept = 50;
/** File systems tell times in steps, in virtual machines of a hundred milliseconds. */
const settledMs = 200;

function findStats(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    // Most of the places where imports were looked for are none, and links may lead in circles.
    return undefined;
  }
}

function stateOf(files: readonly string[]): string {
  const paths = new Set(files.flatMap((file) => [file, dirname(file)]));
  return [...paths]
    .map((path) => {
      const found = findStats(path);
      return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : "none";
    })
    .join("\n");
}

/** A store with the component saved in it. */
export interface ComponentMemory {
  readonly memory: Memory;
  /** Saves the component, unless it is there. */
  component(runtime: Runtime): Promise<Component>;
}

/** The store that a source under test begins with. `scope` keeps apart what must not share. */
export function memoryFor(file: ComponentFile, scope: string): ComponentMemory {
  const key = JSON.stringify([scope, file]);
  const known = kept.get(key);
  if (known && stateOf(known.files) === known.state)
    return { memory: known.memory.copy(), component: (runtime) => runtime.component(known.componentId) };
  const memory = createMemory();
  return {
    memory,
    async component(runtime) {
      let files: readonly string[] = [];
      const begunMs = performance.timeOrigin + performance.now();
      const component = await runtime.saveComponent(file, (names, others, places) => {
        if ("file" in file) files = [...names, ...others, ...places].map((name) => join(file.root, name));
      });
      // What has just changed may have changed since it was read.
      if (files.some((path) => Number(findStats(path)?.ctimeMs ?? 0) > begunMs - settledMs)) return component;
      if (kept.size >= mostKept) kept.delete([...kept.keys()][0] ?? "");
      kept.set(key, { memory: memory.copy(), componentId: component.id, files, state: stateOf(files) });
      return component;
    },
  };
}
