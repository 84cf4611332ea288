import type { SearchMatch } from "../../../contract/session/search.ts";
import { command } from "../../parsing/command.ts";
import { answer } from "../../terminal/print.ts";
import { oneLine, sanitize } from "../../terminal/sanitize.ts";
import type { Palette } from "../../terminal/palette.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const search = command({
  name: "session search",
  summary: "Search the files of a session's workspace",
  about:
    "Capital letters count where the pattern has one. What .gitignore leaves out, and names that begin with a dot, are not searched unless that is said.",
  args: [
    sessionArgument,
    { name: "PATTERN", help: "the text to look for" },
    { name: "PATH", optional: true, help: "a directory in the workspace" },
  ],
  options: {
    names: { kind: "flag", help: "files by their names, instead of lines" },
    regex: { kind: "flag", help: "the pattern is a regular expression" },
    case: {
      kind: "text",
      value: "C",
      choices: ["smart", "sensitive", "insensitive"],
      help: "whether capital letters count",
    },
    glob: {
      kind: "list",
      value: "GLOB",
      help: "only files that fit; `!` before it leaves them out; may be repeated",
    },
    hidden: { kind: "flag", help: "also names that begin with a dot" },
    ignored: { kind: "flag", help: "also what .gitignore leaves out" },
    limit: { kind: "number", value: "N", help: "how many lines, at most" },
  },
  examples: [
    "reprise session search ses_01jm TODO",
    "reprise session search ses_01jm main.ts --names",
    "reprise session search ses_01jm 'fn \\w+' src --regex --glob '*.rs'",
  ],
  exits: { 1: "nothing was found, or it failed" },
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const found = await client.searchFiles(id, args.PATTERN, {
      path: args.PATH ?? "",
      names: options.names,
      regex: options.regex,
      hidden: options.hidden,
      ignored: options.ignored,
      ...(options.glob.length > 0 && { glob: options.glob.join(",") }),
      ...(options.case !== undefined && { case: options.case }),
      ...(options.limit !== undefined && { limit: options.limit }),
    });
    answer(world, found, () =>
      found.matches
        .map((each) =>
          options.names ? oneLine(each.path) : lineOf(each, world.out.palette),
        )
        .join("\n"),
    );
    if (found.stopped !== null && !world.json)
      world.err.write(`${STOPPED[found.stopped]}\n`);
    return found.matches.length === 0 ? 1 : 0;
  },
});

const STOPPED = {
  limit: "There may be more lines: say --limit N.",
  deadline: "The search took too long and was ended: say a PATH or a --glob.",
};

const lineOf = (
  { path, line, text, cut }: SearchMatch,
  palette: Palette,
): string =>
  `${palette.dim(`${oneLine(path)}:${line ?? "?"}:`)} ${sanitize(text)}${cut ? " …" : ""}`;
