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
  /** Where an arrow passes the columns between its ends. */
  bendsOf(arrow: Arrow): readonly Position[];
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

/** Arrows cut into pieces from column to column, with places for their bends. */
interface Pieces {
  readonly layers: string[][];
  readonly pieces: readonly Arrow[];
  /** Ids of the bends of an arrow, by its ends. */
  readonly bends: ReadonlyMap<string, readonly string[]>;
}

const endsOf = ({ from, to }: Arrow): string => `${from}\n${to}`;

function cut(ids: readonly string[], arrows: readonly Arrow[], columns: ReadonlyMap<string, number>): Pieces {
  const layers: string[][] = [];
  const place = (id: string, column: number): void => void (layers[column] ??= []).push(id);
  for (const id of ids) place(id, columns.get(id) ?? 0);
  const bends = new Map<string, string[]>();
  const pieces: Arrow[] = [];
  for (const arrow of arrows) {
    const [first, last] = [columns.get(arrow.from) ?? 0, columns.get(arrow.to) ?? 0];
    const between: string[] = [];
    if (!bends.has(endsOf(arrow)))
      for (let column = first + 1; column < last; column += 1) {
        const bend = `${endsOf(arrow)}\n${column}`;
        between.push(bend);
        place(bend, column);
      }
    else between.push(...(bends.get(endsOf(arrow)) ?? []));
    bends.set(endsOf(arrow), between);
    const stops = [arrow.from, ...between, arrow.to];
    for (const [index, to] of stops.slice(1).entries()) pieces.push({ from: stops[index] ?? "", to });
  }
  return { layers, pieces, bends };
}

/** Orders the layers so that pieces cross seldom; the row of each id, with the middle of each layer at 0. */
function orderRows({ layers, pieces }: Pieces): Map<string, number> {
  const before = Map.groupBy(pieces, ({ to }) => to);
  const after = Map.groupBy(pieces, ({ from }) => from);
  const rows = new Map<string, number>();
  const number = (layer: readonly string[]): void => {
    for (const [row, id] of layer.entries()) rows.set(id, row - (layer.length - 1) / 2);
  };
  layers.forEach(number);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const isForth = sweep % 2 === 0;
    for (const layer of isForth ? layers : layers.toReversed()) {
      const centre = (id: string): number => {
        const near = isForth
          ? (before.get(id) ?? []).map(({ from }) => from)
          : (after.get(id) ?? []).map(({ to }) => to);
        const own = rows.get(id) ?? 0;
        return near.length === 0 ? own : near.reduce((sum, each) => sum + (rows.get(each) ?? 0), 0) / near.length;
      };
      const centres = new Map(layer.map((id) => [id, centre(id)]));
      layer.sort((a, b) => (centres.get(a) ?? 0) - (centres.get(b) ?? 0));
      number(layer);
    }
  }
  return rows;
}

/** Nodes in columns, so that arrows lead to the right where they can and cross seldom. `ids` are in the wanted order. */
export function layeredLayout(ids: readonly string[], given: readonly Arrow[]): Layout {
  const known = new Set(ids);
  const arrows = given.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const forward = withoutCircles(ids, arrows);
  const pieces = cut(ids, forward, columnsOf(ids, forward));
  const { layers, bends } = pieces;
  const rows = orderRows(pieces);
  const most = Math.max(0, ...layers.map((layer) => layer.length));
  const positions = new Map<string, Position>();
  for (const [column, layer] of layers.entries())
    for (const id of layer) positions.set(id, { column, row: (rows.get(id) ?? 0) + (most - 1) / 2 });
  return {
    positions,
    columns: layers.length,
    rows: most,
    bendsOf: (arrow) => (bends.get(endsOf(arrow)) ?? []).flatMap((id) => positions.get(id) ?? []),
  };
}
