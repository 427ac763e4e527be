/** Reading a source map, per character: of its mappings and names, which become lists, and of the texts before them. */
const stepsPerMapping = 3;
const stepsPerChar = 0.4;

/** The steps of reading a source map of esbuild, for a budget. */
export function stepsOfMap(sourceMap: string): number {
  const mappings = sourceMap.lastIndexOf('"mappings":"');
  return stepsPerChar * sourceMap.length + stepsPerMapping * (sourceMap.length - mappings);
}
