import type { JSX } from "preact";

const form = /^(>?)\s*(\d*)\s*\| ?(.*)$/;

/** The author's lines around the place where an error was thrown. */
export const CodeFrame = ({ text }: { readonly text: string }): JSX.Element => (
  <pre class="frame" tabIndex={0} aria-label="Code">
    {text.split("\n").map((line, index) => {
      const [whole, mark, number, code] = form.exec(line) ?? [];
      if (whole === undefined)
        return (
          <span key={index} class="line dim">
            {line}
          </span>
        );
      return (
        <span key={index} class={`line ${mark === ">" || number === "" ? "at" : ""}`}>
          <span class="gutter">{number}</span>
          {code}
        </span>
      );
    })}
  </pre>
);
