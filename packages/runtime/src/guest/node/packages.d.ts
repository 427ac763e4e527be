// Packages that stand in for built-ins: their types are those of the built-in.
declare module "events/" {
  export { default } from "node:events";
}
declare module "readable-stream/lib/stream.js" {
  export { default } from "node:stream";
}
declare module "path-browserify" {
  export { default } from "node:path";
}
declare module "string_decoder/" {
  export { default } from "node:string_decoder";
}
declare module "assert/build/assert.js" {
  export { default } from "node:assert";
}
