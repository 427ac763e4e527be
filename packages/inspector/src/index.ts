export { type InspectorFile, inspectorFolder, readInspectorFiles } from "./files.ts";
