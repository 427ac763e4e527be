import { useRef, useState } from "preact/hooks";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a drawing is shown in its frame. */
export interface Zoom {
  /** Follows the size of the frame around the drawing until the answer is called. */
  observe(frame: Element): () => void;
  /** The scale for a drawing of a size. */
  scaleOf(drawing: Size): number;
  /** True while the scale makes all of the drawing visible. */
  readonly isFit: boolean;
  /** Larger by steps, or smaller with a negative number. */
  change(steps: number): void;
  fit(): void;
}

const least = 0.2;
const most = 2;
const step = 1.25;

/** The scale at which a drawing fits into a frame, not enlarged. */
export const fitScale = (drawing: Size, frame: Size): number =>
  frame.width === 0 ? 1 : Math.max(least, Math.min(1, frame.width / drawing.width, frame.height / drawing.height));

export function useZoom(): Zoom {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [chosen, choose] = useState<number>();
  const shown = useRef(1);
  return {
    observe(frame) {
      const watch = new ResizeObserver(() => setSize({ width: frame.clientWidth, height: frame.clientHeight }));
      watch.observe(frame);
      return () => watch.disconnect();
    },
    scaleOf: (drawing) => (shown.current = chosen ?? fitScale(drawing, size)),
    isFit: chosen === undefined,
    change: (steps) => choose(Math.min(most, Math.max(least, shown.current * step ** steps))),
    fit: () => choose(undefined),
  };
}
