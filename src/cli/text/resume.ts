import type { Resume, ResumeGrade } from "../../contract/agent/resume.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../terminal/sanitize.ts";

/** How the agent's memory came back (P6): the grade first; what was lost follows as a sentence of its own. */
export const resumeWords = (resume: Resume): string =>
  [
    gradeWords(resume),
    ...(resume.lost === null ? [] : [oneLine(resume.lost)]),
  ].join("\n");

const gradeWords = (resume: Resume): string =>
  [
    resume.grade === null
      ? "nothing had to be done"
      : `${resume.grade}: ${meaning(resume.grade, resume.lost)}`,
    ...(resume.grade === "native"
      ? [resume.verified ? "verified" : "not verified"]
      : []),
    ...(resume.workspace === null ? [] : [`workspace ${resume.workspace}`]),
    `took ${Math.round(resume.took_ms)} ms`,
  ].join(", ");

const meaning = (grade: ResumeGrade, lost: string | null): string => {
  switch (grade) {
    case "reattached":
      return "the agent never stopped";
    case "native":
      return "the agent restored its own session";
    case "injected":
      // Without a turn (SES-19) nothing is lost, and there is nothing to give.
      return lost === null
        ? "a new agent session begins, without a conversation to give it"
        : "the history is given to a new agent session";
    case "fresh":
      return "a new agent session without memory";
    default:
      return unreachable(grade);
  }
};
