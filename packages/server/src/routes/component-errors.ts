import type { ErrorCode } from "@x/runtime";

/** What may be wrong with the packages that a component imports. */
export const packageErrors: readonly ErrorCode[] = [
  "package_unresolved",
  "package_refused",
  "package_too_large",
  "package_integrity",
  "package_native",
  "package_failed",
];

/** What may be wrong with a component that is loaded. */
export const componentErrors: readonly ErrorCode[] = [
  "invalid_component",
  "bundle_failed",
  ...packageErrors,
  "component_url_failed",
  "address_forbidden",
];
