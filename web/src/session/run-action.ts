/** Does what a button of the band says. */
import type { OpenSession } from "../store/open-session.ts";
import type { StandingAction } from "../words/standing.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { routes, sessionPath, workspacePath } from "../routes.ts";

export interface ActionDeps {
  navigate: (path: string) => void;
  /** Tries to reach the server at once. */
  tryConnection: () => void;
}

export const runAction = async (
  action: StandingAction,
  open: OpenSession,
  { navigate, tryConnection }: ActionDeps,
): Promise<void> => {
  switch (action.kind) {
    case "resume":
      return open.resume();
    case "resume_now":
      return open.resume({ now: true });
    case "start_without_memory":
      return open.startWithoutMemory();
    case "open_workspace":
      return navigate(workspacePath(open.id));
    case "resolve":
      return open.resolve(action.promptId, action.action);
    case "new_session":
      return navigate(routes.newSession);
    case "try_connection":
      return tryConnection();
    case "cancel_turn":
      return open.cancelTurn();
    case "recover":
      return open.recover();
    case "show_disk_use":
      return navigate(routes.settings);
    case "fork": {
      const fork = await open.fork({ turn: action.turn });
      return navigate(sessionPath(fork.id));
    }
    case "undelete":
      return open.undelete();
    default:
      return unreachable(action);
  }
};
