/** A value after its way through JSON. */
type Sent<T> = T extends { toJSON(): infer J }
  ? J
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { [N in keyof T]: Sent<T[N]> }
      : T;

type Declared<C> = C extends { readonly emits?: infer E } ? E : unknown;
type Sample<C> = C extends { readonly sampleEmit?: infer E } ? E : unknown;

/**
 * The events of a component, as those who receive them see them: `Emits<typeof component>`.
 * From its `emits`, else from its `sampleEmit`.
 */
export type Emits<C> =
  unknown extends Declared<C> ? Sent<Exclude<Sample<C>, undefined>> : Sent<Exclude<Declared<C>, undefined>>;
