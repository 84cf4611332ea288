/** What sessions intend is pursued. */
import { IntentRunner, type React } from "../../journal/intent-runner.ts";
import type { Later } from "../../kit/time/later.ts";
import { intend, type Intent, keyOf } from "../../session/intend.ts";
import { isSessionGone } from "../failures/session-gone.ts";
import type { Log } from "../ports/home.ts";
import {
  type SessionCommits,
  type Sessions,
  sessions,
} from "./session-journal.ts";

export type SessionReact = React<Sessions, Intent>;
export type SessionIntents = IntentRunner<Sessions, Intent>;

export const sessionIntents = (
  commits: SessionCommits,
  parts: { react: SessionReact; later: Later; log: Log },
): SessionIntents =>
  new IntentRunner<Sessions, Intent>(commits, {
    ...parts,
    kind: sessions,
    intend,
    keyOf,
    isGone: isSessionGone,
    label: "session_id",
  });
