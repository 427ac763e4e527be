/** Lets what is under way in this turn be told first: logs before the error that followed them, events before their run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
