import { command } from "../command.ts";
import { allSessions } from "../find.ts";
import { collect } from "../pages.ts";
import { answer } from "../print.ts";
import { sessionTable } from "../text/session-row.ts";

export const list = command({
  name: "session list",
  summary: "List sessions, the most recently active first",
  args: [],
  options: {},
  examples: [
    "reprise session list",
    "reprise session list --json | jq -r '.sessions[].id'",
  ],
  async run(_, world) {
    const client = await world.client();
    const sessions = await collect(allSessions(client));
    answer(world, { sessions, next: null }, () =>
      sessions.length === 0
        ? `No sessions yet. Start one with \`${world.program} session start\`.`
        : sessionTable(sessions, world.out, world.now()),
    );
    return 0;
  },
});
