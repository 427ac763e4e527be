/** Work that was in flight at this many crashes of the process runs alone, so that other work is not blamed for it. */
const suspectCrashes = 2;
/** Work that was in flight at this many crashes is abandoned. */
const crashLimit = 3;

/** Whether a trigger or a change of a source is the likely cause of crashes. It runs alone, and later than others. */
export const isSuspect = (crashes: number): boolean => crashes >= suspectCrashes;

/** Whether a trigger or a change of a source is given up, with a record in the `$errors` of its source. */
export const isAbandoned = (crashes: number): boolean => crashes >= crashLimit;
