/** Work in flight at so many crashes of the process goes one at a time, so that none is blamed for what another did (S24). */
export const suspectCrashes = 2;
/** After so many it is given up (S24). */
export const crashLimit = 3;
