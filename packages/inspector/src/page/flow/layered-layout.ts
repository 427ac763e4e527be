/** An arrow between two nodes, by their ids. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Where a node is: its column and its row in it, both from 0. */
export interface Position {
  readonly column: number;
  readonly row: number;
}

export interface Layout {
  readonly positions: ReadonlyMap<string, Position>;
  readonly columns: number;
  /** The most rows of a column. */
  readonly rows: number;
}

/** The arrows that lead back to a node that leads to them are left out, so that the rest has no circles. */
function withoutCircles(ids: readonly string[], arrows: readonly Arrow[]): Arrow[] {
  const leaving = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const kept: Arrow[] = [];
  for (const start of ids) {
    if (done.has(start)) continue;
    const path = new Set<string>([start]);
    const stack = [{ id: start, rest: [...(leaving.get(start) ?? [])] }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const arrow = top.rest.shift();
      if (!arrow) {
        path.delete(top.id);
        done.add(top.id);
        stack.pop();
      } else if (!path.has(arrow.to)) {
        kept.push(arrow);
        if (!done.has(arrow.to)) {
          path.add(arrow.to);
          stack.push({ id: arrow.to, rest: [...(leaving.get(arrow.to) ?? [])] });
        }
      }
    }
  }
  return kept;
}

/** The column of each node: one beyond the last node that leads to it. */
function columnsOf(ids: readonly string[], arrows: readonly Arrow[]): Map<string, number> {
  const columns = new Map(ids.map((id) => [id, 0]));
  const missing = new Map(ids.map((id) => [id, 0]));
  for (const { to } of arrows) missing.set(to, (missing.get(to) ?? 0) + 1);
  const leaving = Map.groupBy(arrows, ({ from }) => from);
  const ready = ids.filter((id) => missing.get(id) === 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const { to } of leaving.get(id) ?? []) {
      columns.set(to, Math.max(columns.get(to) ?? 0, (columns.get(id) ?? 0) + 1));
      const left = (missing.get(to) ?? 0) - 1;
      missing.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return columns;
}

const sweeps = 6;

/** Nodes in columns, so that arrows lead to the right where they can and cross seldom. `ids` are in the wanted order. */
export function layeredLayout(ids: readonly string[], given: readonly Arrow[]): Layout {
  const known = new Set(ids);
  const arrows = given.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const forward = withoutCircles(ids, arrows);
  const columns = columnsOf(ids, forward);
  const layers: string[][] = [];
  for (const id of ids) (layers[columns.get(id) ?? 0] ??= []).push(id);
  const before = Map.groupBy(forward, ({ to }) => to);
  const after = Map.groupBy(forward, ({ from }) => from);
  const rows = new Map<string, number>();
  const number = (): void => {
    for (const layer of layers) for (const [row, id] of layer.entries()) rows.set(id, row - (layer.length - 1) / 2);
  };
  number();
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForth = sweep % 2 === 0;
    const order = isForth ? layers : layers.toReversed();
    for (const layer of order) {
      const centre = (id: string): number => {
        const near = isForth
          ? (before.get(id) ?? []).map(({ from }) => from)
          : (after.get(id) ?? []).map(({ to }) => to);
        const own = rows.get(id) ?? 0;
        return near.length === 0 ? own : near.reduce((sum, each) => sum + (rows.get(each) ?? 0), 0) / near.length;
      };
      const centres = new Map(layer.map((id) => [id, centre(id)]));
      layer.sort((a, b) => (centres.get(a) ?? 0) - (centres.get(b) ?? 0));
      for (const [row, id] of layer.entries()) rows.set(id, row - (layer.length - 1) / 2);
    }
  }
  const most = Math.max(0, ...layers.map((layer) => layer.length));
  const positions = new Map<string, Position>();
  for (const [column, layer] of layers.entries())
    for (const [row, id] of layer.entries()) positions.set(id, { column, row: row + (most - layer.length) / 2 });
  return { positions, columns: layers.length, rows: most };
}
