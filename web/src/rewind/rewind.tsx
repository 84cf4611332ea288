import { EmptyState } from "../kit/empty-state.tsx";
import type { OpenSession, SessionView } from "../store/open-session.ts";

/** What a rewind would do, before it is done. */
export const Rewind = ({
  open,
  turn,
}: {
  open: OpenSession;
  view: SessionView;
  turn: number;
}) => (
  <EmptyState title="Not on this page yet" icon="terminal">
    In a terminal:{" "}
    <code>
      reprise session rewind {open.id} {turn}
    </code>
  </EmptyState>
);
