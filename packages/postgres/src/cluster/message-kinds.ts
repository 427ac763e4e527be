/** A message by which a node makes the others know it; they answer by themselves. */
export const joinNotice = "$greeting";

/** The kinds of an answer: with a body, and of a question that could not be answered. */
export const answered = "";
export const failed = "$failed";

export const noBytes: Uint8Array = new Uint8Array();
