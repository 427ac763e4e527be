import { useEffect } from "preact/hooks";

import type { Resource } from "./resource.ts";

/** Loads again every `ms` while the page is visible. A load that takes longer is not given up for the next one. */
export function usePolling({ loading, reload }: Pick<Resource<unknown>, "loading" | "reload">, ms: number): void {
  useEffect(() => {
    if (loading) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, ms);
    return () => clearInterval(timer);
  }, [loading, reload, ms]);
}
