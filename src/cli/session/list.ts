import { command } from "../parsing/command.ts";
import { allSessions, collect } from "../../client/pages.ts";
import { findSession } from "../server/find.ts";
import { answer } from "../terminal/print.ts";
import { sessionTable } from "../text/session-row.ts";

export const list = command({
  name: "session list",
  summary: "List sessions, the most recently active first",
  args: [],
  options: {
    deleted: { kind: "flag", help: "those in the trash instead" },
    parent: {
      kind: "text",
      value: "ID",
      help: "those that were forked from this session",
    },
  },
  examples: [
    "reprise session list",
    "reprise session list --deleted",
    "reprise session list --parent ses_01jd",
    "reprise session list --json | jq -r '.sessions[].id'",
  ],
  async run({ options }, world) {
    const client = await world.client();
    const { deleted, parent } = options;
    const filter = {
      deleted,
      ...(parent !== undefined && {
        parent: await findSession(client, parent),
      }),
    };
    const sessions = await collect(allSessions(client, filter));
    answer(world, { sessions, next: null }, () =>
      sessions.length === 0
        ? nothing(options, world.program)
        : sessionTable(sessions, world.out, world.now()),
    );
    return 0;
  },
});

const nothing = (
  { deleted, parent }: { deleted: boolean; parent?: string | undefined },
  program: string,
): string => {
  if (parent !== undefined)
    return deleted
      ? "No session in the trash was forked from it."
      : "No session was forked from it.";
  return deleted
    ? "The trash is empty."
    : `No sessions yet. Start one with \`${program} session start\`.`;
};
