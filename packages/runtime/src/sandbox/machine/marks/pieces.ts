/** Memory is marked and restored in pieces. */
export const pieceShift = 9;
/** Smaller than a page, because reference counts change all over a realm. */
export const pieceBytes: number = 2 ** pieceShift;
/** A mark stands for a piece and so many bytes after it: for stores that begin in the piece or at an offset of an address in it. */
export const coveredBytes = 64;

/** Indexes of the memories that marked code has besides its own. */
export const marksMemory = 1;
export const imageMemory = 2;

/** What is known of a piece. */
export const mark = {
  /** It equals the base image. */
  none: 0,
  /** The engine may have written to it. */
  written: 1,
  /** It equals the image that was restored last, which differs from the base image there. */
  image: 2,
} as const;

/** Marks are looked at up to here; a machine with more memory is not used again. */
export const trackedBytes: number = 16 * 1024 * 1024;

/** Where the engine's stack lies, between its static data and the heap; it grows down. */
export const stack = { low: 90_208, high: 5_333_088 } as const;
/** The only global variable of the engine. */
export const stackPointer = 0;
