/** The entry `@x/runtime/store`: what is needed to implement `Store` in another package. */
export * from "@x/store/kit";
