import { unreachable } from "../../../kit/unreachable.ts";
import type { SearchOrder } from "../../../contract/link/link-search.ts";

/** The arguments of ripgrep for a search. Nothing of the workspace, of the person or of the caller adds another. */
export const searchArgs = (order: SearchOrder): string[] => [
  "--json",
  ...commonArgs(order),
  // One thread, and the same lines each time.
  "--sort=path",
  caseFlag(order.case),
  ...(order.regex ? [] : ["--fixed-strings"]),
  `--regexp=${order.pattern}`,
  "--",
  "./",
];

/** The arguments that make it list the files that would be searched, each ended by a zero. */
export const listArgs = (order: SearchOrder): string[] => [
  "--files",
  "--null",
  ...commonArgs(order),
  "--",
  "./",
];

const commonArgs = (order: SearchOrder): string[] => [
  "--no-config",
  "--no-messages",
  "--no-follow",
  "--no-require-git",
  ...(order.hidden ? ["--hidden"] : []),
  ...(order.ignored ? ["--no-ignore"] : []),
  ...order.globs.map((glob) => `--glob=${glob}`),
  "--glob=!.git",
];

const caseFlag = (which: SearchOrder["case"]): string => {
  switch (which) {
    case "sensitive":
      return "--case-sensitive";
    case "insensitive":
      return "--ignore-case";
    case "smart":
      return "--smart-case";
    default:
      return unreachable(which);
  }
};
