import type { SessionId } from "../contract/base/id.ts";
import type { Snapshot, Store } from "../runtime/ports/store.ts";

/** The folded lines of sessions, in memory. */
export const memoryLines = (deps: {
  open: () => void;
  refuse: (term: number) => void;
  isThere: (session: SessionId) => boolean;
}): {
  store: Pick<Store, "line" | "saveLine">;
  drop: (session: SessionId) => void;
} => {
  const lines = new Map<SessionId, Snapshot>();
  return {
    store: {
      async line(session, version) {
        deps.open();
        const line = lines.get(session);
        return line?.version === version ? { ...line } : null;
      },
      async saveLine(term, session, line) {
        deps.open();
        deps.refuse(term);
        if (deps.isThere(session)) lines.set(session, { ...line });
      },
    },
    drop: (session) => void lines.delete(session),
  };
};
