import type { Event } from "../../../src/contract/event/event.ts";
import type { Evidence } from "./evidence.ts";
import { toldIn } from "./line.ts";

/** What grades are judged by. */
interface Graded extends Pick<Evidence, "journal" | "violations"> {
  play: Pick<Evidence["play"], "name" | "agent">;
}

/** P6: a grade claims nothing that did not happen, and a fresh start says what is gone. */
export const checkGrades = ({ play, journal, violations }: Graded): void => {
  for (const event of journal) {
    if (event.type !== "session.resumed") continue;
    const { grade, lost, verified } = event.data.resume;
    const isSilent = grade === "fresh" && lost === null;
    if (isSilent && goesOnFromSomething(journal.slice(0, event.seq)))
      violations.add(
        "P6",
        play.name,
        `event ${event.seq}: a fresh start that does not say what was lost`,
      );
    if (grade === "native" && (!verified || play.agent !== "demo"))
      violations.add(
        "P6",
        play.name,
        `event ${event.seq}: ${play.agent} claims a native resume`,
      );
    if (grade === "injected" && play.agent === "demo-fresh")
      violations.add(
        "P6",
        play.name,
        `event ${event.seq}: ${play.agent} claims an injected resume`,
      );
  }
};

/** Whoever went back to before the first turn has nothing to lose. */
const goesOnFromSomething = (journal: readonly Event[]): boolean => {
  const { now } = toldIn(journal);
  return journal.some(
    ({ type, data }) =>
      type === "session.turn.ended" && now.includes(data.turn),
  );
};
