import { URLPattern } from "urlpattern-polyfill/urlpattern";

/** `URLPattern` of urlpattern-polyfill. */
export default (): { URLPattern: unknown } => ({ URLPattern });
