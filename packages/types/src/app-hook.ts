/** The value of a `$.interface.apphook` prop: what it listens to. */
export interface AppHookInterface {
  readonly type: "$.interface.apphook";
  /** The app prop whose account the events are for. */
  readonly appProp: string;
  /** None: every event. */
  readonly eventNames: readonly string[];
}
