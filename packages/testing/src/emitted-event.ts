import type { Json } from "@x/runtime";
import type { Emits } from "@x/types";

/** What a component emits, as a test sees it: what it declares with `emits` or `sampleEmit`, else any JSON. */
export type EmittedEvent<Component> = 0 extends 1 & Component
  ? Json
  : unknown extends Emits<Component>
    ? Json
    : Emits<Component>;
