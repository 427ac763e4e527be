/** An object with the members of both, getters as getters. */
export const withMembers = <A extends object, B extends object>(first: A, second: B): A & B =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(first), ...Object.getOwnPropertyDescriptors(second) },
  ) as A & B;
