import type { Session } from "../../../src/contract/session/session.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import type { Mark } from "../line/mark.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/** The files of a session, its terminals and its processes. */
export const Workspace = ({
  session,
}: {
  session: Session;
  line: readonly Mark[];
  /** Of the file or directory that is shown. */
  path: string;
  services: SessionDeps;
}) => (
  <EmptyState title="Not on this page yet" icon="terminal">
    In a terminal: <code>reprise session files {session.id}</code>
  </EmptyState>
);
