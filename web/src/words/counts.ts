/** Numbers with what they count. */

const grouped = new Intl.NumberFormat("en-GB");

/** `1,204` */
export const number = (count: number): string => grouped.format(count);

/** `1 file`, `1,204 files` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** `1.20`: agents tell no currency that holds for all. */
export const money = (amount: number): string => amount.toFixed(2);

/** `214k`, `1.2M`: for tokens. */
export const rounded = (count: number): string => {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
};

const trimmed = (value: number): string =>
  value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));

/** `84 MB`, in powers of ten. */
export const bytes = (count: number): string => {
  if (count < 1000) return counted(count, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${trimmed(value)} ${units[unit]}`;
};

export interface LineCounts {
  files: number;
  added: number | null;
  removed: number | null;
}

/** `3 files +54 −19`; `no change` where there is none. */
export const changesWords = (changes: LineCounts): string =>
  changes.files === 0
    ? "no change"
    : [counted(changes.files, "file"), ...plusMinus(changes)].join(" ");

/** `+54` and `−19`; what is zero or unknown is left out. */
export const plusMinus = ({ added, removed }: LineCounts): string[] => [
  ...(added === null || added === 0 ? [] : [`+${number(added)}`]),
  ...(removed === null || removed === 0 ? [] : [`−${number(removed)}`]),
];
