import type { ComponentShape } from "@x/runtime";

import type { SourceUnderTest } from "../source-under-test.ts";
import type { ConformanceOptions, Stimulus } from "./stimulus.ts";

/** What a check works with. */
export interface Trial {
  readonly shape: ComponentShape;
  readonly stimulus: Stimulus;
  readonly options: ConformanceOptions;
  /** A deployed source of its own, with these settings. */
  open(settings?: { readonly warm?: boolean }): Promise<SourceUnderTest>;
}

/** A property that any source should have. */
export interface Check {
  readonly title: string;
  /** Why it says nothing about this component; undefined when it does. */
  skip?(trial: Trial): string | undefined;
  /** Resolves with what is wrong; undefined when nothing is. */
  find(trial: Trial): Promise<string | undefined>;
}
