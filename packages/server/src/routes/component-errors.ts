import { errorCatalogue, type ErrorCode } from "@x/runtime";

/** What may be wrong with the packages that a component imports. */
export const packageErrors: readonly ErrorCode[] = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) =>
  code.startsWith("package_"),
);

/** What may be wrong with a component that is loaded. */
export const componentErrors: readonly ErrorCode[] = [
  "invalid_component",
  "bundle_failed",
  ...packageErrors,
  "component_url_failed",
  "address_forbidden",
];
