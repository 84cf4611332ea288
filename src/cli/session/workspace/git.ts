import type { Client } from "../../../client/client.ts";
import type {
  GitBranches,
  GitLog,
  GitStatus,
} from "../../../contract/session/git-look.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import { command } from "../../parsing/command.ts";
import { answer } from "../../terminal/print.ts";
import { oneLine, sanitize } from "../../terminal/sanitize.ts";
import { sessionArgument, targetOf } from "../shared/target.ts";

export const git = command({
  name: "session git",
  summary: "What git says of a session's workspace",
  about:
    "It only looks: none of the repository's hooks, filters or other programs is run.",
  args: [
    sessionArgument,
    {
      name: "WHAT",
      choices: ["status", "diff", "log", "branches"],
      help: "status, diff, log or branches",
    },
  ],
  options: {
    path: { kind: "text", value: "PATH", help: "diff, log: only of this path" },
    staged: { kind: "flag", help: "diff: what is staged" },
    since: {
      kind: "text",
      value: "REV",
      help: "diff: what came since this commit",
    },
    limit: { kind: "number", value: "N", help: "log: how many commits" },
  },
  examples: [
    "reprise session git ses_01jm status",
    "reprise session git ses_01jm diff --since HEAD~3",
    "reprise session git ses_01jm log --limit 5",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const { document, text } = await looked(client, id, args.WHAT, options);
    answer(world, document, () => text);
    return 0;
  },
});

interface Looked {
  document: object;
  text: string;
}

interface Wanted {
  path: string | undefined;
  staged: boolean;
  since: string | undefined;
  limit: number | undefined;
}

const looked = async (
  client: Client,
  id: string,
  what: "status" | "diff" | "log" | "branches",
  { path, staged, since, limit }: Wanted,
): Promise<Looked> => {
  const where = path === undefined ? {} : { path };
  switch (what) {
    case "status": {
      const document = await client.gitStatus(id);
      return { document, text: statusText(document) };
    }
    case "diff": {
      const more = since === undefined ? {} : { since };
      const document = await client.gitDiff(id, { ...where, ...more, staged });
      const rest = document.truncated ? "\n… there is more of it." : "";
      return { document, text: sanitize(document.text) + rest };
    }
    case "log": {
      const more = limit === undefined ? {} : { limit };
      const document = await client.gitLog(id, { ...where, ...more });
      return { document, text: logText(document) };
    }
    case "branches": {
      const document = await client.gitBranches(id);
      return { document, text: branchText(document) };
    }
    default:
      return unreachable(what);
  }
};

const statusText = (status: GitStatus): string => {
  const { branch, upstream, ahead, behind, entries, truncated } = status;
  const head = branch === null ? "on no branch" : `on ${oneLine(branch)}`;
  const beside =
    upstream === null
      ? ""
      : `, ${ahead ?? "?"} ahead and ${behind ?? "?"} behind ${oneLine(upstream)}`;
  const lines = entries.map(({ path, kind, index, worktree, from }) => {
    const letters = kind === "untracked" ? "??" : `${index}${worktree}`;
    const before = from === undefined ? "" : `${oneLine(from)} -> `;
    return `${letters} ${before}${oneLine(path)}`;
  });
  const rest = truncated ? ["… and more."] : [];
  return [head + beside, ...lines, ...rest].join("\n");
};

const logText = ({ commits }: GitLog): string =>
  commits.length === 0
    ? "Nothing was committed yet."
    : commits
        .map(
          ({ id, committed_at, author, subject }) =>
            `${id.slice(0, 10)} ${committed_at.slice(0, 10)} ${oneLine(author.name)}: ${oneLine(subject)}`,
        )
        .join("\n");

const branchText = ({ branches }: GitBranches): string =>
  branches.length === 0
    ? "There is no branch yet."
    : branches
        .map(
          ({ name, kind, current, commit, subject }) =>
            `${current ? "*" : " "} ${kind === "remote" ? "remotes/" : ""}${oneLine(name)} ${commit.slice(0, 10)} ${oneLine(subject)}`,
        )
        .join("\n");
