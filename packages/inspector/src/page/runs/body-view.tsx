import type { JSX } from "preact";

import { size } from "../text/format.ts";
import { Fold } from "../ui/fold.tsx";
import { JsonView } from "../ui/json-view.tsx";

interface BodyProps {
  readonly label: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text?: string | undefined;
  readonly base64?: string | undefined;
  readonly truncated?: boolean | undefined;
  readonly bytes: number | null;
}

const longestJson = 200_000;

function parsed(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const Text = ({ text }: { readonly text: string }): JSX.Element => (
  <Fold>
    <pre class="trace">{text}</pre>
  </Fold>
);

function Content({ text, base64, bytes }: Pick<BodyProps, "text" | "base64" | "bytes">): JSX.Element {
  const json = text === undefined ? undefined : parsed(text);
  if (json) return <JsonView value={json.value} open={4} />;
  if (text !== undefined && text !== "") return <Text text={text} />;
  if (base64 !== undefined) return <Text text={base64} />;
  return <p class="dim">{bytes === null ? "No answer" : bytes === 0 ? "No body" : "The body is not kept."}</p>;
}

/** Headers and body of a request or an answer. */
export const BodyView = ({ label, headers, text, base64, truncated, bytes }: BodyProps): JSX.Element => (
  <section class="message" aria-label={label}>
    <h3>
      {label}
      {bytes !== null && bytes > 0 && <span class="dim"> {size(bytes)}</span>}
      {base64 !== undefined && <span class="dim"> in base64</span>}
    </h3>
    {Object.keys(headers).length > 0 && (
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{[value].flat().map(String).join(", ")}</dd>
          </div>
        ))}
      </dl>
    )}
    <Content text={text} base64={base64} bytes={bytes} />
    {truncated && <p class="dim">Only the beginning is kept.</p>}
  </section>
);
