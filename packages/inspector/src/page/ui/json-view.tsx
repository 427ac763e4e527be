import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { plural } from "../text/format.ts";
import { Fold } from "./fold.tsx";

type Value = unknown;

const stepSize = 100;
const longestText = 10_000;

const wordOf = (value: Value): string =>
  typeof value === "string" ? "string" : typeof value === "number" ? "number" : "word";

/** A value without members; a very long text is cut until it is asked for. */
function Leaf({ value }: { readonly value: Value }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const text = JSON.stringify(value) ?? "undefined";
  if (whole || text.length <= longestText) return <span class={wordOf(value)}>{text}</span>;
  return (
    <>
      <span class={wordOf(value)}>{text.slice(0, longestText)}…</span>{" "}
      <button type="button" onClick={() => setWhole(true)}>
        all {text.length} characters
      </button>
    </>
  );
}

interface NodeProps {
  readonly name?: string;
  readonly value: Value;
  readonly depth: number;
  readonly open: number;
}

/** One value, and its members when it is open. */
function JsonNode({ name, value, depth, open }: NodeProps): JSX.Element {
  const [expanded, setExpanded] = useState(depth < open);
  const [shown, setShown] = useState(stepSize);
  const key = name === undefined ? null : <span class="key">{JSON.stringify(name)}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <li>
        {key}
        <Leaf value={value} />
      </li>
    );
  const members = Object.entries(value);
  const [left, right] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (members.length === 0)
    return (
      <li>
        {key}
        {left}
        {right}
      </li>
    );
  const counted = plural(members.length, Array.isArray(value) ? "item" : "member");
  return (
    <li>
      <button type="button" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
        {key}
        {left}
        {!expanded && <span class="dim"> {counted} </span>}
        {!expanded && right}
      </button>
      {expanded && (
        <>
          <ul>
            {members.slice(0, shown).map(([member, child]) => (
              <JsonNode
                key={member}
                {...(Array.isArray(value) ? {} : { name: member })}
                value={child}
                depth={depth + 1}
                open={open}
              />
            ))}
            {members.length > shown && (
              <li>
                <button type="button" onClick={() => setShown(shown + 10 * stepSize)}>
                  {members.length - shown} more
                </button>
              </li>
            )}
          </ul>
          {right}
        </>
      )}
    </li>
  );
}

/** JSON as a tree whose parts open and close, folded when it is long; `open` levels are open at first. */
export const JsonView = ({ value, open = 2 }: { readonly value: Value; readonly open?: number }): JSX.Element => (
  <Fold>
    <ul class="json">
      <JsonNode value={value} depth={0} open={open} />
    </ul>
  </Fold>
);
