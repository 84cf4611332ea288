import type { Event } from "../../../src/contract/event/event.ts";
import type { Loss, Play } from "../play.ts";
import type { Evidence } from "./evidence.ts";

/** What losses are judged by. */
interface Suffered extends Pick<Evidence, "journal" | "violations"> {
  play: Pick<Play, "name" | "agent" | "losses">;
}

/** CPT-4: what was deleted while a session rested was put back before its agent started, and the resume says so. */
export const checkLosses = ({ play, journal, violations }: Suffered): void => {
  for (const loss of play.losses) {
    const since = journal.slice(loss.seq);
    const begun = since.find(
      ({ type }) =>
        type === "session.execution.started" || type === "session.rewound",
    );
    // A rewind makes the workspace anew, and gives the agent another session.
    if (begun?.type !== "session.execution.started") continue;
    const { rebuild, epoch } = begun.data;
    const before = journal.slice(0, begun.seq);
    const wrong = [
      ...(loss.workspace && rebuild?.restore !== true
        ? ["its workspace was not restored"]
        : []),
      ...(loss.memory && rebuild?.memory == null && isSaved(before)
        ? ["the agent's session was not put back"]
        : []),
      ...complaints(play, loss, before, outcomeOf(since, epoch)),
    ];
    for (const what of wrong)
      violations.add(
        "CPT-4",
        play.name,
        `after a loss at event ${loss.seq}, execution ${epoch}: ${what}`,
      );
  }
};

/** How the execution came up; null when it did not, or when it is not known how its first words were lost. */
const outcomeOf = (
  events: readonly Event[],
  epoch: number,
): Event | undefined => {
  const first = events.find(
    (event) =>
      event.type === "session.resumed" ||
      (event.type === "session.execution.ended" && event.data.epoch === epoch),
  );
  return first?.type === "session.resumed" ? first : undefined;
};

/** Whether the newest checkpoint has a copy of what the agent knows. One that has none says so. */
const isSaved = (journal: readonly Event[]): boolean => {
  const newest = journal.findLast(
    ({ type, data }) =>
      type.startsWith("session.checkpoint.") && "checkpoint" in data,
  );
  return (
    newest !== undefined &&
    "checkpoint" in newest.data &&
    newest.data.checkpoint.agent_state !== null
  );
};

/**
 * The agent was to be given the history with its next prompt, and got none since: what it has itself holds nothing. A turn
 * that began is not enough: its prompt may have been given back before it was delivered.
 */
const awaitsHistory = (journal: readonly Event[]): boolean => {
  const newest = journal.findLast(
    ({ type, data }) =>
      type === "session.prompt.delivered" ||
      // One that is found alive was given nothing by that.
      (type === "session.resumed" && data.resume.grade !== "reattached"),
  );
  return (
    newest?.type === "session.resumed" &&
    newest.data.resume.grade === "injected"
  );
};

/** An agent whose memory cannot come back gets the history, if the journal says why and the resume what is lost. */
const complaints = (
  { agent }: Pick<Play, "agent">,
  { workspace, memory }: Loss,
  before: readonly Event[],
  resumed: Event | undefined,
): string[] => {
  if (resumed?.type !== "session.resumed") return [];
  const { resume } = resumed.data;
  // The server died meanwhile, and the next one says how it found the agent.
  if (resume.grade === "reattached") return [];
  const isExcused =
    resume.grade === "injected" &&
    resume.lost !== null &&
    (!isSaved(before) || awaitsHistory(before));
  const isPutBack = workspace || isSaved(before);
  return [
    ...(isPutBack && resume.path !== "cold"
      ? [`it came back ${resume.path}`]
      : []),
    ...(workspace && resume.workspace !== "restored"
      ? [`the workspace is said to be ${resume.workspace}`]
      : []),
    ...(memory && agent === "demo" && resume.grade !== "native" && !isExcused
      ? [`its memory came back ${resume.grade}: ${resume.lost}`]
      : []),
  ];
};
