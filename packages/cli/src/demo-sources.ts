import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { ComponentFile } from "./serve/deploy-files.ts";
import { EnvironmentError } from "./given/usage-error.ts";

/** The same from the sources and from the build: both are two folders below the root. */
const examples = new URL("../../../examples/", import.meta.url);

/** Small documents, and this project depends on them. */
const watchedPackages = ["croner", "keyv", "quickjs-emscripten"];

function fileOf(name: string): string {
  const file = fileURLToPath(new URL(name, examples));
  if (existsSync(file)) return file;
  throw new EnvironmentError("x demo serves the examples of the repository, which are not in the installed package");
}

export interface DemoSources {
  readonly inbox: ComponentFile;
  readonly counter: ComponentFile;
  /** Absent without a registry to poll. */
  readonly poller: ComponentFile | undefined;
}

/** The three examples with their props. */
export function demoSources(registry: string | undefined): DemoSources {
  return {
    inbox: { file: fileOf("http-inbox/http-inbox.js") },
    counter: { file: fileOf("cron-counter/cron-counter.js") },
    poller:
      registry === undefined
        ? undefined
        : {
            file: fileOf("npm-releases/npm-releases.ts"),
            props: { packages: watchedPackages },
            currentProps: { registry },
          },
  };
}
