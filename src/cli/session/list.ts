import { command } from "../parsing/command.ts";
import { allSessions, collect } from "../../client/pages.ts";
import { answer } from "../terminal/print.ts";
import { sessionTable } from "../text/session-row.ts";

export const list = command({
  name: "session list",
  summary: "List sessions, the most recently active first",
  args: [],
  options: {
    deleted: { kind: "flag", help: "those in the trash instead" },
  },
  examples: [
    "reprise session list",
    "reprise session list --deleted",
    "reprise session list --json | jq -r '.sessions[].id'",
  ],
  async run({ options }, world) {
    const client = await world.client();
    const sessions = await collect(
      allSessions(client, { deleted: options.deleted }),
    );
    answer(world, { sessions, next: null }, () =>
      sessions.length === 0
        ? nothing(options.deleted, world.program)
        : sessionTable(sessions, world.out, world.now()),
    );
    return 0;
  },
});

const nothing = (deleted: boolean, program: string): string =>
  deleted
    ? "The trash is empty."
    : `No sessions yet. Start one with \`${program} session start\`.`;
