import type { Client } from "../../client/client.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { Shell } from "../../contract/session/shell.ts";
import { command } from "../parsing/command.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { sessionArgument, targetOf } from "../session/shared/target.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { table } from "../terminal/table.ts";
import type { World } from "../terminal/world.ts";
import { attach } from "./attach.ts";

export const shell = command({
  name: "session shell",
  summary: "Open a shell in the workspace, or go back to one",
  about:
    "Without SHELL a new one is opened. It goes on when you leave with Ctrl-], when this program or the server ends, and when agentctl is started again; come back with its id. The exit code is 0 however the shell ended.",
  args: [
    sessionArgument,
    { name: "SHELL", help: "the shell, as in shl_01jm", optional: true },
  ],
  options: {
    list: { kind: "flag", help: "list the shells of the session" },
    close: {
      kind: "flag",
      help: "end SHELL with all it started, and forget it",
    },
  },
  examples: [
    "reprise session shell ses_01jm",
    "reprise session shell ses_01jm --list",
    "reprise session shell ses_01jm shl_01jn --close",
  ],
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    if (options.list) return listAll(world, client, id);
    if (options.close) return close(world, client, id, args.SHELL);
    const terminal = world.rawTerminal();
    if (terminal === null)
      throw new UsageError(
        "`session shell` needs a terminal: standard input and output must be one. `reprise session exec` runs a command without.",
      );
    try {
      const chosen =
        args.SHELL === undefined
          ? await client.openShell(id, terminal.size())
          : await findShell(client, id, args.SHELL);
      const left = await attach(world, client, chosen, terminal);
      terminal.restore();
      world.err.write(
        left.kind === "detached"
          ? `\n${chosen.id} goes on. Back to it: ${world.program} session shell ${id} ${chosen.id}\n`
          : `\n${chosen.id}: ${endWords(left.end)}.\n`,
      );
      return 0;
    } finally {
      terminal.restore();
    }
  },
});

const listAll = async (
  world: World,
  client: Client,
  id: SessionId,
): Promise<ExitCode> => {
  const page = await client.listShells(id);
  answer(world, page, () =>
    page.shells.length === 0
      ? "No shells."
      : table(
          page.shells.map((each) => [
            { text: each.id },
            { text: each.end === null ? "open" : endWords(each.end) },
            { text: `${each.cols}×${each.rows}` },
            { text: oneLine(each.title ?? each.command) },
          ]),
          world.out.columns,
        ),
  );
  return 0;
};

const close = async (
  world: World,
  client: Client,
  id: SessionId,
  shell: string | undefined,
): Promise<ExitCode> => {
  if (shell === undefined)
    throw new UsageError("--close needs the shell: its id is in --list.");
  const { id: shell_id } = await findShell(client, id, shell);
  const closed = await client.closeShell(id, shell_id);
  answer(world, closed, () => `${shell_id} is closed.`);
  return 0;
};

/** By its id, or the beginning of it. */
const findShell = async (
  client: Client,
  id: SessionId,
  beginning: string,
): Promise<Shell> => {
  const { shells } = await client.listShells(id);
  const found = shells.filter((each) => each.id.startsWith(beginning));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  throw new RepriseError(
    "shell_not_found",
    only === undefined
      ? `The session has no shell ${JSON.stringify(beginning.slice(0, 100))}.`
      : `Several shells begin with ${beginning}: ${found.map((each) => each.id).join(", ")}.`,
  );
};

const endWords = ({ reason, exit_code }: NonNullable<Shell["end"]>): string => {
  switch (reason) {
    case "exited":
      return `exited with ${exit_code ?? "an unknown code"}`;
    case "closed":
      return "closed";
    case "session_deleted":
      return "ended with its session";
    case "lost":
      return "lost: the machine was started again, or it was killed";
  }
};
