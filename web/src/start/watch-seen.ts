import type { Seen } from "../store/seen.ts";
import type { Sessions } from "../store/sessions.ts";
import { isWorking } from "../store/working.ts";

/** What works now will be news when it is over. What other tabs have marked is seen here too. */
export const watchSeen = (sessions: Sessions, seen: Seen): void => {
  const look = (): void => {
    for (const session of sessions.get().sessions)
      if (isWorking(session)) seen.works(session);
  };
  sessions.subscribe(look);
  look();
  window.addEventListener("storage", () => seen.reload());
};
