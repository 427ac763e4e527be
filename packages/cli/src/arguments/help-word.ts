export const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";
