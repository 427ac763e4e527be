/** File in a tree with the ids of the shared packages that it has links to, as JSON. */
export const sharedIdsFile = ".shared.json";
