/** The slot of an id, as `slotOf` computes it. */
const slotOf = (column: string): string => `('x' || substr(md5(${column}), 1, 3))::bit(12)::int >> 2`;

/** The condition that an id belongs to slots that are a parameter of the statement. */
export const inSlots = (column: string, parameter: number): string => `${slotOf(column)} = ANY ($${parameter}::int4[])`;
