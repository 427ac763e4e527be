/** What an implementation of `Store` outside of this package needs; the entry `@x/runtime/store`. */
export * from "@x/store/kit";
