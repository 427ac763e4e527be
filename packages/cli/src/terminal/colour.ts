import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Text for standard output, coloured only when that is a terminal. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });
