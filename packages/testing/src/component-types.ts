import type { Json } from "@x/runtime";
import type { Emits } from "@x/types";

export type { AccountValue, PropsOf } from "@x/types";

/** The type of a component's events: that of its `emits` or `sampleEmit`, else any JSON. */
export type EmittedEvent<Component> = 0 extends 1 & Component
  ? Json
  : unknown extends Emits<Component>
    ? Json
    : Emits<Component>;
