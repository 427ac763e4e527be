import type { JSX } from "preact";

import { CopyButton } from "../ui/button.tsx";
import { type ReceivedRequest, requestText } from "./request-text.ts";

/** A request as HTTP writes it, to copy. */
export function RequestView({ request }: { readonly request: ReceivedRequest }): JSX.Element {
  const text = requestText(request);
  const isCut = request.headers_truncated || request.body_truncated;
  return (
    <section class="stack" aria-label="Request">
      <div class="row">
        <h3 class="grow">
          Request{request.body_base64 !== undefined && <span class="dim"> with a body that is not text</span>}
        </h3>
        <CopyButton text={text} label="Copy" />
      </div>
      <pre class="raw" tabIndex={0}>
        {text}
      </pre>
      {isCut && <p class="dim">Only the beginning of its {request.headers_truncated ? "headers" : "body"} is kept.</p>}
    </section>
  );
}
