import { useEffect, useState } from "preact/hooks";

import { place, setQuery } from "./router.ts";

const typingMs = 250;

/** The search `q` of the address, as it is typed: the address follows some time after the last key. */
export function useTypedSearch(): readonly [string, (text: string) => void] {
  const [text, setText] = useState(place.value.query.get("q") ?? "");
  useEffect(() => {
    if (text === (place.value.query.get("q") ?? "")) return undefined;
    const timer = setTimeout(() => setQuery({ q: text }), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
