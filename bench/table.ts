import type { Row } from "./figure.ts";
import type { Machine } from "./machine.ts";

/** A report for people. */
export const table = (report: {
  name: string;
  machine: Machine;
  rows: readonly Row[];
}): string => {
  const head = ["what", "ours", "peer", "ratio", "bar", ""];
  const lines = report.rows.map(cells);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const { cpu, cores, memory_gb, os, node } = report.machine;
  return [
    `${report.name} · ${cpu}, ${cores} cores, ${memory_gb} GB, ${os}, node ${node}`,
    ...[head, ...lines].map((line) => layOut(line, widths)),
    "",
  ].join("\n");
};

const cells = (row: Row): string[] => [
  row.what,
  `${rounded(row.ours)} ${row.unit}`,
  `${rounded(row.peer)} ${row.unit}`,
  row.ratio.toFixed(2),
  row.bar ?? "",
  row.ok === null ? "" : row.ok ? "ok" : "MISSED",
];

/** The first column to the left, numbers to the right. */
const layOut = (line: readonly string[], widths: readonly number[]): string =>
  line
    .map((cell, column) =>
      column === 0
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0),
    )
    .join("  ")
    .trimEnd();

const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(3);
