const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes in the unit that suits them: `812 B`, `1.4 KiB`, `36 MiB`. */
export const size = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  let unit = "";
  for (const each of UNITS) {
    if (value < 1024 && unit !== "") break;
    value /= 1024;
    unit = each;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};

/** `12 ms`, `1.4 s`. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
