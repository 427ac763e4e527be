import { useEffect, useRef, useState } from "preact/hooks";

import { isAbort } from "../api/client.ts";
import { addChoices, type ChoicePage } from "./choices.ts";
import { type Choice, choiceOf, type PropShape } from "./prop-shape.ts";

/** Loads one page of choices. */
export type LoadChoices = (
  asked: { readonly page: number; readonly context: unknown; readonly query: string },
  signal: AbortSignal,
) => Promise<ChoicePage>;

interface Loaded {
  readonly choices: readonly Choice[];
  readonly page: number;
  readonly context: unknown;
  readonly more: boolean;
}

/** The choices that are loaded, and whether there may be more. */
export interface Choices extends Pick<Loaded, "choices" | "more"> {
  readonly loading: boolean;
  readonly error: unknown;
  loadMore(): void;
}

const nothing: Loaded = { choices: [], page: 0, context: null, more: false };
const typingMs = 250;

const matches = ({ label }: Choice, words: string): boolean => label.toLowerCase().includes(words.toLowerCase());

/**
 * The choices of a prop while its list is open. The component searches when it says that it can; otherwise what is loaded is
 * filtered here.
 */
export function useChoices(prop: PropShape, open: boolean, typed: string, load: LoadChoices): Choices {
  const [loaded, setLoaded] = useState<Loaded>(nothing);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const latest = useRef(load);
  latest.current = load;
  const stop = useRef(new AbortController());
  const query = prop.useQuery ? typed : "";

  async function ask(from: Loaded, page: number): Promise<void> {
    stop.current.abort();
    const { signal } = (stop.current = new AbortController());
    setLoading(true);
    setError(undefined);
    try {
      const answer = await latest.current({ page, context: from.context, query }, signal);
      setLoaded({ ...addChoices(from.choices, answer.choices), page, context: answer.context });
      setLoading(false);
    } catch (failure) {
      if (isAbort(failure)) return;
      setError(failure);
      setLoading(false);
    }
  }

  useEffect(() => {
    if (!open || !prop.remoteOptions) return undefined;
    const timer = setTimeout(() => void ask(nothing, 0), query === "" ? 0 : typingMs);
    return () => {
      clearTimeout(timer);
      stop.current.abort();
    };
  }, [open, query]);

  const all = prop.remoteOptions ? loaded.choices : (prop.options ?? []).map(choiceOf);
  return {
    choices: prop.useQuery || typed === "" ? all : all.filter((choice) => matches(choice, typed)),
    more: loaded.more,
    loading,
    error,
    loadMore: () => void ask(loaded, loaded.page + 1),
  };
}
