/** Work that was in flight at this many crashes of the process runs alone, so that other work is not blamed for it. */
export const suspectCrashes = 2;
/** Work that was in flight at this many crashes is abandoned. */
export const crashLimit = 3;
