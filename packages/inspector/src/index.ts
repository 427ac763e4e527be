export { type ContentCoding, type InspectorFile, inspectorFileUrl, readInspectorFiles } from "./files.ts";
