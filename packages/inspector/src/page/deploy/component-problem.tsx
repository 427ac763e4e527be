import type { JSX } from "preact";

/** What is wrong with a component, in several lines; nothing for an empty text. */
export const ComponentProblem = ({ text }: { readonly text: string }): JSX.Element | null =>
  text === "" ? null : (
    <pre class="problem trace" role="alert">
      {text}
    </pre>
  );
