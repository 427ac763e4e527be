/** Whether two types are the same, not only assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile unless both types are the same. */
export function same<A, B>(..._proof: Same<A, B> extends true ? [] : [expected: B, got: A]): void {}
