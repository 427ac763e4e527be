/** The command line cannot be understood: one line for the person who wrote it, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something outside of x and of the component is not as it must be: exit code 4. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}
