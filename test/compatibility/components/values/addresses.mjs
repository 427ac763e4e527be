import querystring from "node:querystring";
import { domainToASCII, format, urlToHttpOptions } from "node:url";

export default {
  name: "Addresses",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    const url = new URL("../b?x=1&y=ü#z", "https://u:p@Exämple.com:8443/a/c/");
    url.searchParams.append("list[]", "a b");
    this.$emit({ href: url.href, host: url.host, shown: format(url, { auth: false, fragment: false }) });
    const { hostname, port, path, auth } = urlToHttpOptions(url);
    this.$emit({ hostname, port, path, auth, ascii: domainToASCII("español.com") });
    this.$emit([querystring.stringify({ a: ["1", "2"], b: "ü &" }), querystring.parse("a=1&a=2&b=%C3%BC+")]);
  },
};
