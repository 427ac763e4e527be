/** What an object or list takes to parse, compared with a member of an object. Other values take far less. */
const perObject = 4;
const maxParts = 800_000;

/**
 * What JSON text takes to parse: 1 for each member, 4 for each object and list. 800,000 take about 100 ms, whatever the
 * length. Stops soon after `most`. `perItem`: what a further value of a list or object takes.
 */
export function jsonParts(json: string, most: number, perItem = 0): number {
  let parts = 0;
  let inString = false;
  for (let index = 0; index < json.length && parts <= most; index++) {
    const code = json.charCodeAt(index);
    if (inString) {
      if (code === 92) index++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 91 || code === 123) parts += perObject;
    else if (code === 58) parts += 1;
    else if (code === 44) parts += perItem;
  }
  return parts;
}

/** True when JSON text is parsed in about 100 ms at most: it has at most 200,000 objects and lists, or fewer with more members. */
export const isParsable = (json: string, perItem = 0): boolean => jsonParts(json, maxParts, perItem) <= maxParts;
