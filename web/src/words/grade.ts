/** How an agent came back, in the words that stand at its break. */
import type {
  Resume,
  ResumeGrade,
} from "../../../src/contract/agent/resume.ts";
import {
  describeEnding,
  type Ending,
} from "../../../src/contract/session/ending.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { duration } from "./age.ts";
import { counted, number } from "./counts.ts";
import { sentence } from "./sentence.ts";

export interface GradeFacts {
  /** How many messages the conversation had, where that is known. */
  messages?: number | undefined;
  /** How many files are not as a turn left them, and which turn. */
  changed?: { files: number; turn: number } | undefined;
  /** How many files were put back, where the directory was gone. */
  restored?: number | undefined;
}

export interface GradeWords {
  /** The grade as its chip says it; null where nothing had to be done. */
  grade: ResumeGrade | null;
  text: string;
  /** A link that says more. */
  more: "what_it_was_told" | "what_changed" | null;
}

/** `The agent was killed by SIGKILL` */
export const endingWords = (ending: Ending): string =>
  `The agent ${describeEnding(ending)}`;

/** `Killed by SIGKILL`: beside the mark on the line. */
export const shortEnding = (ending: Ending): string => {
  const words = describeEnding(ending).replace(/^(was|is) /, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** `native, 0.7 s`, with `verified` where it was. */
export const shortGrade = (resume: Resume): string =>
  [
    resume.grade ?? "not needed",
    ...(resume.grade === "native" && resume.verified ? ["verified"] : []),
    duration(resume.took_ms),
  ].join(", ");

export const gradeWords = (
  resume: Resume,
  facts: GradeFacts = {},
): GradeWords => {
  const workspace = workspaceWords(resume, facts);
  const { grade } = resume;
  return {
    grade,
    text: [...gradeText(resume, facts), ...workspace].join(" "),
    more:
      resume.workspace === "changed" && facts.changed !== undefined
        ? "what_changed"
        : grade === "injected" && resume.lost !== null
          ? "what_it_was_told"
          : null,
  };
};

const gradeText = (resume: Resume, facts: GradeFacts): string[] => {
  const { grade } = resume;
  switch (grade) {
    case null:
      return ["Nothing had to be done."];
    case "reattached":
      return [
        `The server was restarted. The agent never stopped: found again in ${duration(resume.took_ms)}, nothing lost.`,
      ];
    case "native":
      return [
        `It restored its own session in ${duration(resume.took_ms)}.`,
        ...proof(resume),
        ...lost(resume),
      ];
    case "injected":
      return [injected(resume, facts), ...lost(resume)];
    case "fresh":
      return ["The agent does not remember.", ...lost(resume)];
    default:
      return unreachable(grade);
  }
};

const proof = ({ verified, workspace }: Resume): string[] => {
  const isUnchanged = workspace === "unchanged";
  if (verified && isUnchanged) return ["Verified, workspace unchanged."];
  if (verified) return ["Verified."];
  return isUnchanged ? ["Workspace unchanged."] : [];
};

const injected = (
  { left_out = 0, lost: words }: Resume,
  { messages }: GradeFacts,
): string => {
  if (words === null) return "A new agent session begins.";
  return messages === undefined
    ? "History injected."
    : `History injected: ${number(messages - left_out)} of ${counted(messages, "message")}.`;
};

const lost = ({ lost: words }: Resume): string[] =>
  words === null ? [] : [sentence(words)];

const workspaceWords = (
  { workspace }: Resume,
  { changed, restored }: GradeFacts,
): string[] => {
  switch (workspace) {
    case "restored":
      return [
        restored === undefined
          ? "The directory was gone. Its files are back."
          : `The directory was gone. ${counted(restored, "file is", "files are")} back.`,
      ];
    case "changed":
      return [
        changed === undefined
          ? "The workspace has changed since. It was not touched."
          : `${counted(changed.files, "file is", "files are")} not as turn ${changed.turn} left them. They were not touched.`,
      ];
    case "unchanged":
    case null:
      return [];
    default:
      return unreachable(workspace);
  }
};
