/** What a module seems to be by its text alone. */
export interface Declared {
  /**
   * "component": its default export shows a key. "app": a shared app. "helper": surely neither. "unknown": only its
   * evaluation can tell.
   */
  readonly kind: "component" | "app" | "helper" | "unknown";
  readonly key?: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  /** As written: `source`, `action`. */
  readonly type?: string;
  /** The slug of an app. */
  readonly app?: string;
  /** Specifiers that it imports by `import`, `export … from` or `require`. */
  readonly imports: readonly string[];
  /** Fields of `$auth` that its code names. */
  readonly auth?: readonly string[];
}
