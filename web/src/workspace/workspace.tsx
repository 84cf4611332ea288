import type { Session } from "../../../src/contract/session/session.ts";
import type { Mark } from "../line/mark.ts";
import type { SessionDeps } from "../session/session-deps.ts";
import { Terminals } from "../terminal/terminals.tsx";

/** The files of a session, its terminals and its processes. */
export const Workspace = ({
  session,
  services,
}: {
  session: Session;
  line: readonly Mark[];
  /** Of the file or directory that is shown. */
  path: string;
  services: SessionDeps;
}) => (
  <Terminals
    sessionId={session.id}
    {...services.terminals}
    canOpen={session.deleted_at === null}
  />
);
