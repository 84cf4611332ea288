import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import {
  type ByteString,
  fromText,
} from "../../../checkpoint/format/byte-string.ts";
import { LinkError } from "../../../contract/link/link-error.ts";
import type { SearchOrder } from "../../../contract/link/link-search.ts";
import {
  SEARCH_DEADLINE_MS,
  type SearchMatch,
  type SearchResult,
} from "../../../contract/session/search.ts";
import { LineSplitter } from "../../../kit/data/ndjson.ts";
import { runBounded } from "../../../kit/processes/bounded-run.ts";
import { installedRipgrep, RIPGREP } from "../../../kit/ripgrep.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { type Found, namesFound } from "./find-names.ts";
import { matchIn } from "./read-match.ts";
import { listArgs, searchArgs } from "./search-args.ts";

/** A message of ripgrep that is longer is read only at its ends: it tells a line of a file, whole. */
const MAX_MESSAGE = 1024 * 1024;

/** Where the program is: beside agentctl's copy, or where npm put it. */
export interface SearchPlace {
  files: WorkspaceFiles;
  programs: string;
}

/** Lines of a workspace that fit a pattern, or files by their names. Links are not followed. Ends with its caller. */
export const search = async (
  { files, programs }: SearchPlace,
  order: SearchOrder,
  signal: AbortSignal,
  deadlineMs = SEARCH_DEADLINE_MS,
): Promise<SearchResult> => {
  const program = ripgrepIn(programs);
  return files.inDirectory(order, async (cwd, above) => {
    const found = order.names
      ? namesFound(order, fromText(above))
      : linesFound(order, fromText(above));
    const { code, stopped, stderr } = await runBounded({
      program,
      args: order.names ? listArgs(order) : searchArgs(order),
      cwd,
      env: {},
      deadlineMs,
      signal,
      onOutput: (chunk) => found.take(chunk),
    });
    if (stopped === "signal") throw left();
    // Files that may not be read make it fail too, but silently.
    if (code !== 0 && stopped === null && stderr.trim() !== "")
      throw new LinkError(
        "invalid_pattern",
        `The search cannot be done: ${stderr.trim().slice(0, 2000)}`,
      );
    const { matches, isFull } = found.result();
    return {
      matches,
      stopped: stopped === "deadline" ? "deadline" : isFull ? "limit" : null,
    };
  });
};

const linesFound = (order: SearchOrder, above: ByteString): Found => {
  const matches: SearchMatch[] = [];
  const lines = new LineSplitter(0, MAX_MESSAGE);
  let isFull = false;
  return {
    take: (chunk) => {
      for (const line of lines.push(chunk)) {
        const match = matchIn(line, above);
        if (match === null) continue;
        isFull = matches.length >= order.limit;
        if (isFull) return "enough";
        matches.push(match);
      }
      return "more";
    },
    result: () => ({ matches, isFull }),
  };
};

const ripgrepIn = (programs: string): string => {
  for (const path of [join(programs, RIPGREP), installedRipgrep()])
    if (path !== null && isProgram(path)) return path;
  throw new LinkError(
    "search_unavailable",
    `There is no ripgrep for this machine (${process.platform}-${process.arch}): Reprise was installed without its optional packages. Install it again with them.`,
  );
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const left = (): LinkError =>
  new LinkError("internal", "nobody waits for the search any more");
