/** The functions that a machine calls while guest code runs. They must not throw. */
export interface Host {
  dispatch(op: number, text: string, bytes: Uint8Array | undefined): string | Uint8Array | undefined;
  shouldInterrupt(): boolean;
  /** Time in ms left to guest code, for a machine that cannot call `shouldInterrupt`. */
  remainingMs(): number;
}

/** The host of an unused machine. */
export const idleHost: Host = {
  dispatch: () => undefined,
  shouldInterrupt: () => false,
  remainingMs: () => Number.POSITIVE_INFINITY,
};

/** A call as JSON text for the guest. */
export interface CallText {
  readonly text: string;
  /** The property `event` in UTF-8, which the text lacks. The machine frees it. */
  readonly event?: Uint8Array<ArrayBuffer>;
}

/** Between a call's text, without its last brace, and its event. */
export const eventKey = ',"event":';

/** The text of a call with its event, which is JSON text and is inserted as it is. */
export const withEvent = (text: string, event: string): string => `${text.slice(0, -1)}${eventKey}${event}}`;

/** One realm of guest code, in QuickJS or in Node. */
export interface GuestMachine {
  /** Its memory in bytes; 0 when unknown. */
  readonly memory: { readonly buffer: { readonly byteLength: number } };
  /** The unit of the columns in its stacks. */
  readonly columns: "characters" | "units";
  attach(host: Host): void;
  /** Calls the guest's entry point. False: it ended with an exception that cannot be read. */
  enter(op: number, text: string | CallText, extra?: Uint8Array | { code: string }): boolean;
  hasJobs(): boolean;
  /** Runs up to `max` pending jobs. False: one ended with an exception. */
  runJobs(max: number): boolean;
}
