/** The slot of an id, as `slotOf` computes it. */
export const slotSql = (column: string): string => `@slot_of(${column})`;

/** The condition that an id belongs to slots that are a parameter of the statement. */
export const inSlots = (column: string, parameter: number): string =>
  `${slotSql(column)} = ANY ($${parameter}::int4[])`;
