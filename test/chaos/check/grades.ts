import type { Check } from "./evidence.ts";

/** P6: a grade claims nothing that did not happen, and a fresh start says what is gone. */
export const checkGrades: Check = ({ play, journal, violations }) => {
  let turns = 0;
  for (const event of journal) {
    if (event.type === "session.turn.ended") turns += 1;
    if (event.type !== "session.resumed") continue;
    const { grade, lost, verified } = event.data.resume;
    if (grade === "fresh" && lost === null && turns > 0)
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
