import type { Event } from "../../../src/contract/event.ts";
import type { Loss, Play } from "../play.ts";
import type { Check } from "./evidence.ts";

/** CPT-4: what was deleted while a session rested was put back before its agent started, and the resume says so. */
export const checkLosses: Check = ({ play, journal, violations }) => {
  for (const loss of play.losses) {
    const since = journal.slice(loss.seq);
    const begun = since.find(
      ({ type }) =>
        type === "session.execution.started" || type === "session.rewound",
    );
    // A rewind makes the workspace anew, and gives the agent another session.
    if (begun?.type !== "session.execution.started") continue;
    const { rebuild, epoch } = begun.data;
    const wrong = [
      ...(loss.workspace && rebuild?.restore !== true
        ? ["its workspace was not restored"]
        : []),
      ...(loss.memory && rebuild?.memory == null
        ? ["the agent's session was not put back"]
        : []),
      ...complaints(play, loss, outcomeOf(since, epoch)),
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

const complaints = (
  { agent }: Play,
  { workspace, memory }: Loss,
  resumed: Event | undefined,
): string[] => {
  if (resumed?.type !== "session.resumed") return [];
  const { resume } = resumed.data;
  // The server died meanwhile, and the next one says how it found the agent.
  if (resume.grade === "reattached") return [];
  return [
    ...(resume.path === "cold" ? [] : [`it came back ${resume.path}`]),
    ...(workspace && resume.workspace !== "restored"
      ? [`the workspace is said to be ${resume.workspace}`]
      : []),
    ...(memory && agent === "demo" && resume.grade !== "native"
      ? [`its memory came back ${resume.grade}: ${resume.lost}`]
      : []),
  ];
};
