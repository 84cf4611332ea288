/** What the runner tells: a line per file as it ends, failures in full, and at the end the slowest files and what all took. */
import { relative } from "node:path";
import { idlePart, type MachineTime } from "./cpu.ts";
import type { FileResult } from "./file-result.ts";
import type { Outcome } from "./outcome.ts";

const slowestShown = 5;

export const tally = (
  results: readonly FileResult[],
): Record<Outcome["type"], number> => {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcomes } of results)
    for (const { type } of outcomes) counts[type] += 1;
  return counts;
};

export const describeFile = (result: FileResult, root: string): string => {
  const counts = tally([result]);
  const mark = counts.failed > 0 ? "✖" : "✔";
  const lines = [
    `${mark} ${relative(root, result.file)}  ${words(counts)}, ${seconds(result.ms)}${coreWords(result)}`,
  ];
  for (const outcome of result.outcomes) {
    if (outcome.type === "failed")
      lines.push("", `  ✖ ${outcome.name}`, indent(outcome.error));
    if (outcome.type === "skipped")
      lines.push(`  – ${outcome.name} (skipped: ${outcome.reason})`);
  }
  if (counts.failed > 0 && result.output !== "")
    lines.push("", "  It printed:", indent(result.output));
  if (counts.failed > 0) lines.push("");
  return lines.join("\n");
};

const coreWords = ({ coreMs }: FileResult): string =>
  coreMs === undefined ? "" : ` (${seconds(coreMs)} of a core)`;

export const describeRun = (
  results: readonly FileResult[],
  root: string,
): string => {
  const slowest = results.toSorted((a, b) => b.ms - a.ms);
  const failed = results.flatMap(({ file, outcomes }) =>
    outcomes
      .filter(({ type }) => type === "failed")
      .map(({ name }) => `  ✖ ${relative(root, file)}: ${name}`),
  );
  return [
    "",
    ...(results.length > 1
      ? [
          "Slowest:",
          ...slowest
            .slice(0, slowestShown)
            .map(({ file, ms }) => `  ${seconds(ms)}  ${relative(root, file)}`),
          "",
        ]
      : []),
    ...(failed.length > 0 ? ["Failed:", ...failed, ""] : []),
  ].join("\n");
};

/** How long the run was, and how much of the processors it had. */
export const describeCost = (cost: {
  ms: number;
  machine: MachineTime;
  slowness: number;
}): string =>
  [
    `It took ${seconds(cost.ms)}`,
    `the processors of the machine worked ${seconds(cost.machine.busyMs)} and had nothing to do for ${Math.round(100 * idlePart(cost.machine))} % of the time`,
    ...(cost.slowness > 1
      ? [
          `deadlines were up to ${cost.slowness} times as long as on a quiet one`,
        ]
      : []),
  ].join("; ") + ".";

const words = (counts: Record<Outcome["type"], number>): string =>
  [
    `${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped`] : []),
  ].join(", ");

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const indent = (text: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
