/** The runs of a race as they stand: when one can be kept, and which names of sessions may be those of races. */
import type { Race } from "../../../src/contract/api/race-route.ts";
import type { Session } from "../../../src/contract/session/session.ts";

/** No turn runs or waits in it, and nobody is asked anything. */
export const isOver = (session: Session): boolean =>
  session.state !== "CREATED" &&
  session.state !== "STARTING" &&
  session.state !== "RUNNING" &&
  session.queued_prompts.length === 0 &&
  session.pending_permissions.length === 0;

/** Why a run cannot be kept; null where it can. Nothing goes to the trash before all runs are over. */
export const keepRefusal = (
  race: Race,
  number: number,
  sessionOf: (id: string) => Session | undefined,
): string | null => {
  if (isCutOff(race, number))
    return isInTrash(race, number, sessionOf)
      ? "It is in the trash. Take it out first."
      : null;
  if (race.kept !== null) return `Run ${race.kept} was kept.`;
  const sessions = race.runs.map(({ session_id }) =>
    session_id === null ? null : sessionOf(session_id),
  );
  const own = sessions[number - 1];
  if (own === null) return "It was not started.";
  if (own === undefined || sessions.includes(undefined))
    return "Not all runs are known yet.";
  if (own.deleted_at !== null) return "It is in the trash.";
  const open = sessions.findIndex((each) => each != null && !isOver(each));
  return open === -1 ? null : `Run ${open + 1} is not over.`;
};

/** It was decided that this run is kept, and not all others went to the trash. */
export const isCutOff = (race: Race, number: number): boolean =>
  race.kept === number && !race.carried_out;

const isInTrash = (
  { runs }: Race,
  number: number,
  sessionOf: (id: string) => Session | undefined,
): boolean => {
  const id = runs[number - 1]?.session_id ?? null;
  return id !== null && (sessionOf(id)?.deleted_at ?? null) !== null;
};

/** Without the sessions of runs that were removed for good. */
export const withoutGone = (race: Race, gone: ReadonlySet<string>): Race =>
  gone.size === 0
    ? race
    : {
        ...race,
        runs: race.runs.map((run) =>
          run.session_id !== null && gone.has(run.session_id)
            ? { ...run, session_id: null }
            : run,
        ),
      };
