/** Field `X` of `P`, else of `B`, else undefined. `P extends { x: infer X }` would fail for fresh literals in TypeScript 5.9. */
export type Field<P, B, X> = X extends keyof P ? P[X] : X extends keyof B ? B[X] : undefined;

/** No members: the default of type parameters. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the meaning is that it has no members
export type None = Record<never, never>;
