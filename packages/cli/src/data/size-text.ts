const units = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** A number of bytes for readers, such as `12.5 MiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(bytes || 1) / 10)));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
