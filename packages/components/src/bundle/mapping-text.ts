/**
 * The mappings of a source map as text. Decoded, those of a large bundle take twenty times as much memory, and several
 * seconds.
 */

/** A position, and where it comes from: numbers from 0; a source below 0 is none, and so is a name. */
export type VisitSegment = (column: number, source: number, line: number, originColumn: number, name: number) => void;

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes: Uint8Array = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
const values: Uint8Array = new Uint8Array(128);
for (const [value, code] of codes.entries()) values[code] = value;

const semicolon = 59;
const comma = 44;
/** A digit has five bits, and one that says whether more follow. */
const [bits, more] = [5, 32];

/** Visits the segments of mappings, and the end of each line but the last. */
export function readMappings(text: string, segment: VisitSegment, lineEnd: () => void): void {
  let [column, source, line, originColumn, name] = [0, 0, 0, 0, 0];
  let at = 0;
  const isInside = (): boolean => {
    const code = text.charCodeAt(at);
    return code !== comma && code !== semicolon && !Number.isNaN(code);
  };
  const read = (): number => {
    let [value, shift, digit] = [0, 0, more];
    while ((digit & more) !== 0) {
      digit = values[text.charCodeAt(at)] ?? 0;
      at += 1;
      value |= (digit & (more - 1)) << shift;
      shift += bits;
    }
    return (value & 1) === 0 ? value >> 1 : -(value >> 1);
  };
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === semicolon) {
      lineEnd();
      column = 0;
      at += 1;
    } else if (code === comma) at += 1;
    else {
      column += read();
      if (!isInside()) {
        segment(column, -1, 0, 0, -1);
        continue;
      }
      source += read();
      line += read();
      originColumn += read();
      const isNamed = isInside();
      if (isNamed) name += read();
      segment(column, source, line, originColumn, isNamed ? name : -1);
    }
  }
}

/** Writes mappings. */
export interface MappingWriter {
  readonly segment: VisitSegment;
  lineEnd(): void;
  text(): string;
}

const pieceBytes = 65_536;
/** More than one segment takes. */
const reserve = 64;

export function createMappingWriter(): MappingWriter {
  const pieces: string[] = [];
  const piece = Buffer.alloc(pieceBytes);
  let length = 0;
  let isFirst = true;
  let [lastColumn, lastSource, lastLine, lastOriginColumn, lastName] = [0, 0, 0, 0, 0];

  const flush = (): void => {
    pieces.push(piece.toString("latin1", 0, length));
    length = 0;
  };
  const put = (code: number): void => {
    piece[length] = code;
    length += 1;
  };
  const write = (difference: number): void => {
    let rest = difference < 0 ? (-difference << 1) | 1 : difference << 1;
    do {
      const digit = rest & (more - 1);
      rest >>>= bits;
      put(codes[rest > 0 ? digit | more : digit] ?? 0);
    } while (rest > 0);
  };

  return {
    segment(column, source, line, originColumn, name) {
      if (length > pieceBytes - reserve) flush();
      if (!isFirst) put(comma);
      isFirst = false;
      write(column - lastColumn);
      lastColumn = column;
      if (source < 0) return;
      write(source - lastSource);
      write(line - lastLine);
      write(originColumn - lastOriginColumn);
      [lastSource, lastLine, lastOriginColumn] = [source, line, originColumn];
      if (name < 0) return;
      write(name - lastName);
      lastName = name;
    },
    lineEnd() {
      if (length > pieceBytes - reserve) flush();
      put(semicolon);
      isFirst = true;
      lastColumn = 0;
    },
    text() {
      flush();
      return pieces.join("");
    },
  };
}
