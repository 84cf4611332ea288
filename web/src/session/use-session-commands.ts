import { useLocation } from "wouter";
import { useCommands, useOpenPlace } from "../overlay/use-commands.ts";
import {
  changesPath,
  rewindPath,
  sessionPath,
  workspacePath,
} from "../routes.ts";
import type { OpenSession, SessionView } from "../store/open-session.ts";
import type { TurnsInView } from "./conversation-pane.tsx";
import { turnInView, turnToRewind } from "./keys.ts";
import type { Shown } from "./shown.ts";

/** What can be done with a session, whichever of its tabs is shown. */
export const useSessionCommands = ({
  open,
  view: { session, line },
  tab,
  inView,
  foldLine,
  showTurn,
  fork,
}: {
  open: OpenSession;
  view: SessionView;
  tab: Shown["tab"];
  inView: TurnsInView | null;
  foldLine: () => void;
  showTurn: (turn: number) => void;
  fork: (turn: number) => void;
}): void => {
  const [, navigate] = useLocation();
  const { id } = open;
  const isRead = tab === "conversation";
  const at = turnInView(line, isRead ? inView : null);
  const back = turnToRewind(line, isRead ? inView : null);
  const isOver = session.status === "ended" || session.deleted_at !== null;
  // A refusal is told where the session stands.
  const quietly = (work: Promise<unknown>) => void work.catch(() => undefined);
  useOpenPlace({ id, view: open, showTurn, fork });
  useCommands({
    ...(at !== null && {
      diff: () => navigate(changesPath(id, { to: at })),
      fork: () => fork(at),
    }),
    ...(back !== null &&
      tab !== "rewind" && { rewind: () => navigate(rewindPath(id, back)) }),
    fold_line: foldLine,
    ...(!isRead && { conversation: () => navigate(sessionPath(id)) }),
    changes: () => navigate(changesPath(id)),
    workspace: () => navigate(workspacePath(id)),
    ...(session.is_agent_running
      ? { pause: () => quietly(open.pause()) }
      : !isOver && { resume: () => quietly(open.resume()) }),
    ...(!isOver && { recover: () => quietly(open.recover()) }),
  });
};
