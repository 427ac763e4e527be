/** The entry `@x/runtime/prestart`: small, so that a program can load it long before the runtime. */
export { prestart } from "@x/sandbox/prestart";
