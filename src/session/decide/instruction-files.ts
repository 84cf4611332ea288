import type { InstructionFile } from "../../contract/agent/agent.ts";
import type { WorldReport } from "../state/world-report.ts";
import type { Draft } from "./draft.ts";

/** Agents read these files by themselves, whenever they start: what they hold is part of how a session works, so a change is told. */
export const recordInstructionFiles = (
  draft: Draft,
  { instruction_files: now, workspace }: WorldReport,
): void => {
  // One that is missing is going to be put back as it was.
  if (now === undefined || workspace !== "directory") return;
  const before = draft.state.agent.definition.instruction_files;
  const changes = before === undefined ? [] : changesOf(before, now);
  if (before !== undefined && changes.length === 0) return;
  draft.emit({
    type: "session.instruction_files.recorded",
    data: { files: [...now] },
  });
  if (changes.length > 0)
    draft.notice(
      "info",
      "instructions_changed",
      `The agent starts with other instructions than before: ${changes.join(", ")}.`,
    );
};

const changesOf = (
  before: readonly InstructionFile[],
  now: readonly InstructionFile[],
): string[] => {
  const hashOf = (files: readonly InstructionFile[], name: string) =>
    files.find((file) => file.name === name)?.sha256;
  const names = new Set([...before, ...now].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [was, is] = [hashOf(before, name), hashOf(now, name)];
    if (was === is) return [];
    if (was === undefined) return [`${name} is new`];
    return [is === undefined ? `${name} is gone` : `${name} has changed`];
  });
};
