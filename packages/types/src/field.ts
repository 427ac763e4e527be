/** Field `X` of `P`, else of `B`. A lookup: `P extends { x: infer X }` fails for fresh literals on TypeScript 5.9. */
export type Field<P, B, X> = X extends keyof P ? P[X] : X extends keyof B ? B[X] : undefined;
