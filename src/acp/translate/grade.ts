/** How much the agent still knows after it was brought back, in words. */
import type { Resume } from "../../contract/agent/resume.ts";

export interface GradeWords {
  severity: "info" | "warning";
  title: string;
  description: string | null;
}

/** Null for the first start, where nothing could be lost. */
export const gradeWords = ({ grade, lost }: Resume): GradeWords | null => {
  switch (grade) {
    case null:
      return null;
    case "reattached":
      return info(
        "The agent never stopped; this session goes on (reattached).",
      );
    case "native":
      return {
        ...info("The agent was started again with its memory (native)."),
        description: lost,
      };
    case "injected":
      return {
        severity: "warning",
        title:
          "The agent was started anew and was given the conversation so far (injected).",
        description: lost,
      };
    case "fresh":
      return {
        severity: "warning",
        title:
          "The agent was started anew and knows nothing of before (fresh).",
        description: lost,
      };
  }
};

const info = (title: string): GradeWords => ({
  severity: "info",
  title,
  description: null,
});
