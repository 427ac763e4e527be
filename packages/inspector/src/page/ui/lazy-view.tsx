import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Loading, Problem } from "./status.tsx";

interface LazyViewProps<P> {
  /** Loads the code of the view; the same function for the same view. */
  readonly load: () => Promise<{ readonly default: ComponentType<P> }>;
  readonly given: P;
}

interface Loaded<P> {
  readonly load: unknown;
  readonly view?: ComponentType<P>;
  readonly error?: unknown;
}

/** A view whose code is loaded at its first use. */
export function LazyView<P extends object>({ load, given }: LazyViewProps<P>): JSX.Element {
  const [loaded, setLoaded] = useState<Loaded<P>>({ load });
  useEffect(() => {
    let left = false;
    load().then(
      ({ default: view }) => left || setLoaded({ load, view }),
      (error: unknown) => left || setLoaded({ load, error }),
    );
    return () => {
      left = true;
    };
  }, [load]);
  const current = loaded.load === load ? loaded : undefined;
  if (current?.error !== undefined) return <Problem error={current.error} retry={() => window.location.reload()} />;
  const View = current?.view;
  return View ? <View {...given} /> : <Loading />;
}
