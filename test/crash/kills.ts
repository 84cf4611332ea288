import { type CrashPoint, crashPoints } from "../../src/kit/crash-point.ts";
import { wholeLife } from "./story.ts";
import type { User } from "./user.ts";
import type { Crash, World } from "./world.ts";

export interface Kill extends Crash {
  /** What is being done meanwhile. */
  live(world: World): Promise<User>;
  /** How often the session may need to be asked back: an agent that nobody knew to be started is not taken over. */
  errors?: number;
  config?: object;
}

/** One kill for each of these passages through a point, all in the course of a session's whole life. */
const during = (
  who: Crash["who"],
  name: CrashPoint,
  passages: readonly number[],
  more: Partial<Kill> = {},
): Kill[] =>
  passages.map((n) => ({
    who,
    at: [`${name}:${n}` as const],
    live: wholeLife,
    ...more,
  }));

const unknownStart = { errors: 1 };

export const kills: Kill[] = [
  // A fresh home: the server's token, agentctl's, its Node and its program, where the server is.
  ...during("server", "file.written", [1, 2, 3]),
  ...during("server", "file.placed", [1, 3, 4, 5]),
  ...during("server", "file.settled", [2, 5]),
  ...during("server", "store.before-commit", [1, 2, 7, 15]),
  ...during("server", "store.after-commit", [1, 2, 5, 8, 12, 18]),
  ...during("server", "link.before-order", [1, 4, 6, 8, 12, 18]),
  ...during("server", "link.after-order", [1, 4, 6, 8, 12, 18]),
  ...during("server", "server.before-answer", [1, 3, 6, 8, 9]),
  ...during("server", "server.after-answer", [1, 3, 6, 8, 9]),
  ...during("server", "server.after-socket-answer", [1]),

  ...during("agentctl", "file.written", [1, 2]),
  ...during("agentctl", "file.placed", [1, 2]),
  ...during("agentctl", "file.settled", [1, 2, 3, 4], unknownStart),
  ...during("agentctl", "file.removed", [1]),
  ...during("agentctl", "agentctl.journal.ordered", [1], unknownStart),
  ...during("agentctl", "agentctl.files", [1, 2], unknownStart),
  ...during("agentctl", "agentctl.launched", [1, 2], unknownStart),
  ...during("agentctl", "agentctl.journal.launched", [1, 2]),
  ...during("agentctl", "agentctl.journal.handed", [1, 3]),
  ...during("agentctl", "agentctl.journal.sent", [1, 4, 7]),
  ...during("agentctl", "agentctl.stdin.body", [2, 5, 6, 7]),
  ...during("agentctl", "agentctl.journal.committed", [1, 4, 8]),
  ...during("agentctl", "agentctl.journal.flushed", [1, 2, 6]),
  ...during("agentctl", "agentctl.stdin.newline", [1, 4, 7]),
  ...during("agentctl", "agentctl.journal.written", [2, 5]),
  ...during("agentctl", "agentctl.journal.opened", [1, 2]),
  ...during("agentctl", "agentctl.journal.turn_ended", [1, 4]),
  ...during("agentctl", "agentctl.journal.transcript", [2]),
  ...during("agentctl", "agentctl.journal.notice", [1]),
  ...during("agentctl", "agentctl.journal.acknowledged", [1]),
  ...during("agentctl", "agentctl.journal.stopping", [1, 2]),
  ...during("agentctl", "agentctl.journal.ended", [1, 2]),
  ...during("agentctl", "agentctl.answer", [1, 4, 8, 16]),
  ...during("agentctl", "agentctl.report", [1, 3, 6]),
  {
    who: "agentctl",
    at: ["agentctl.stdin.body:6", "agentctl.stdin.spoilt"],
    live: wholeLife,
  },
];
void crashPoints;
