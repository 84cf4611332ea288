import type { Resume, ResumeGrade } from "../../contract/resume.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { oneLine } from "../sanitize.ts";

/** How the agent's memory came back (P6): the grade first, what was lost always. */
export const resumeWords = (resume: Resume): string => {
  const parts = [
    resume.grade === null
      ? "nothing had to be done"
      : `${resume.grade}: ${meaning(resume.grade)}`,
    ...(resume.grade === "native"
      ? [resume.verified ? "verified" : "not verified"]
      : []),
    `workspace ${resume.workspace}`,
    `took ${Math.round(resume.took_ms)} ms`,
  ];
  const lost = resume.lost === null ? "" : `\nlost: ${oneLine(resume.lost)}`;
  return parts.join(", ") + lost;
};

const meaning = (grade: ResumeGrade): string => {
  switch (grade) {
    case "reattached":
      return "the agent never stopped";
    case "native":
      return "the agent restored its own session";
    case "injected":
      return "the history is given to a new agent session";
    case "fresh":
      return "a new agent session without memory";
    default:
      return unreachable(grade);
  }
};
