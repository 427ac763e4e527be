/** The condition that an id belongs to slots that are a parameter of the statement. */
export const inSlots = (column: string, parameter: number): string =>
  `@slot_of(${column}) = ANY ($${parameter}::int4[])`;
