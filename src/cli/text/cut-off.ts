import type { Session } from "../../contract/session.ts";
import { oneLine } from "../sanitize.ts";
import { resolveCommands } from "./next-command.ts";
import { indented } from "./indented.ts";

/** What was cut off between two looks at a session: turns to decide about, questions that nobody can answer any more. */
export const cutOff = (
  before: Session,
  { id, unresolved_prompts, pending_permissions }: Session,
  program: string,
): string => {
  const turns = unresolved_prompts
    .filter((prompt) => !has(before.unresolved_prompts, prompt))
    .map(
      (prompt) =>
        `${prompt.turn === null ? "A turn" : `Turn ${prompt.turn}`} was interrupted. Decide about its prompt:\n${indented(resolveCommands(program, id, prompt.id))}\n`,
    );
  const questions = before.pending_permissions
    .filter((permission) => !has(pending_permissions, permission))
    .map(
      ({ title }) =>
        `A question can no longer be answered: ${oneLine(title)}\n`,
    );
  return [...questions, ...turns].join("");
};

const has = (
  items: readonly { id: string }[],
  { id }: { id: string },
): boolean => items.some((each) => each.id === id);
