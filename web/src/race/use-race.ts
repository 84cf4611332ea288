import { useEffect, useState } from "react";
import type { Race } from "../../../src/contract/api/race-route.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import { useReadable } from "../kit/use-readable.ts";
import type { PageStores } from "../start/page-stores.ts";
import { withoutGone } from "./runs.ts";

export type RaceView =
  | { kind: "opening" }
  | { kind: "missing" }
  | { kind: "failed"; error: unknown }
  | { kind: "open"; race: Race };

/** Reads a race, and again when a session comes or goes: no stream tells of races. */
export const useRace = (
  { client, sessions }: Pick<PageStores, "client" | "sessions">,
  name: string,
): { view: RaceView; read: () => void } => {
  const [view, setView] = useState<RaceView>({ kind: "opening" });
  const [asked, setAsked] = useState(0);
  const { byId, sessions: shown } = useReadable(sessions);
  const known = `${byId.size}-${shown.length}`;
  useEffect(() => {
    let isCurrent = true;
    client.showRace(name).then(
      (race) => isCurrent && setView({ kind: "open", race }),
      (error: unknown) =>
        isCurrent &&
        setView((before) => {
          if (error instanceof RepriseError && error.code === "not_found")
            return { kind: "missing" };
          return before.kind === "open" ? before : { kind: "failed", error };
        }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, name, known, asked]);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const race = view.kind === "open" ? view.race : null;
  useEffect(() => {
    // Runs may be on a page of the list that nobody has read, or in the trash.
    for (const { session_id } of race?.runs ?? [])
      if (session_id !== null && !sessions.get().byId.has(session_id))
        client.showSession(session_id).then(
          (found) => sessions.put(found),
          (error: unknown) => {
            if (
              error instanceof RepriseError &&
              error.code === "session_not_found"
            )
              setGone((before) => new Set(before).add(session_id));
          },
        );
  }, [client, sessions, race]);
  return {
    view:
      race === null ? view : { kind: "open", race: withoutGone(race, gone) },
    read: () => setAsked((count) => count + 1),
  };
};
