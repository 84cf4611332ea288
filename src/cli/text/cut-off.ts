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
  const turns = undecided(
    id,
    unresolved_prompts.filter(
      (prompt) => !has(before.unresolved_prompts, prompt),
    ),
    program,
  );
  const questions = before.pending_permissions
    .filter((permission) => !has(pending_permissions, permission))
    .map(
      ({ title }) =>
        `A question can no longer be answered: ${oneLine(title)}\n`,
    );
  return [...questions, turns].join("");
};

type Unresolved = Session["unresolved_prompts"][number];

/** Every prompt that waits for a decision, with the commands that make it. */
export const undecided = (
  session: string,
  prompts: readonly Unresolved[],
  program: string,
): string =>
  prompts
    .map(
      (prompt) =>
        `${whatOf(prompt)}\n${indented(resolveCommands(program, session, prompt.id))}\n`,
    )
    .join("");

const whatOf = ({ state, turn }: Unresolved): string =>
  state === "uncertain"
    ? `It is uncertain whether the agent took ${turn === null ? "a prompt" : `the prompt of turn ${turn}`}. Decide about it:`
    : `${turn === null ? "A turn" : `Turn ${turn}`} was interrupted. Decide about its prompt:`;

const has = (
  items: readonly { id: string }[],
  { id }: { id: string },
): boolean => items.some((each) => each.id === id);
