import { useEffect, useRef, useState } from "preact/hooks";

import { place, setQuery } from "./router.ts";

/** How long after the last key a search begins. */
export const typingMs = 250;

/** The search `q` of the address, as it is typed: the address follows some time after the last key, and the text a new address. */
export function useTypedSearch(): readonly [string, (text: string) => void] {
  const q = place.value.query.get("q") ?? "";
  const [text, setText] = useState(q);
  /** What the address has from here: more may be typed since. */
  const sent = useRef(q);
  useEffect(() => {
    if (q !== sent.current) setText(q);
    sent.current = q;
  }, [q]);
  useEffect(() => {
    if (text === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      setQuery({ q: text });
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
