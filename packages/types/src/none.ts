/** No members: what a type parameter is when there is nothing to infer it from. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the meaning is that it has no members
export type None = Record<never, never>;
