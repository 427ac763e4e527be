import { useCallback, useEffect, useState } from "preact/hooks";

import { isAbort } from "./client.ts";

/** Something that is loaded from the service. */
export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads again; the old data stays until then. */
  reload(): void;
  /** Replaces the data, after a change that answered with it. */
  replace(data: T): void;
}

interface State<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: unknown;
  readonly loading: boolean;
}

/** Loads when the component is shown and whenever `key` changes. */
export function useResource<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [state, setState] = useState<State<T>>({ key, loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }));
    load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) setState({ key, data, loading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted && !isAbort(error)) setState({ key, error, loading: false });
      },
    );
    return () => stop.abort();
  }, [key, turn]);
  const current = state.key === key ? state : { key, loading: true };
  return {
    data: current.data,
    error: current.error,
    loading: current.loading,
    reload: useCallback(() => setTurn((value) => value + 1), []),
    replace: useCallback((data: T) => setState({ key, data, loading: false }), [key]),
  };
}
