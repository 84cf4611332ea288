import { isTerminal } from "../../contract/session/state.ts";
import type { Session } from "../../contract/session/session.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { resolveCommands } from "./next-command.ts";
import { indented } from "../terminal/indented.ts";

/** What was cut off between two looks at a session: turns to decide about, questions that nobody can answer any more. */
export const cutOff = (
  before: Session,
  after: Session,
  program: string,
): string => {
  const { turns, questions } = cutBetween(before, after);
  return [
    ...questions.map(
      ({ title }) =>
        `A question can no longer be answered: ${oneLine(title)}\n`,
    ),
    undecided(after.id, turns, program),
  ].join("");
};

export const cutBetween = (before: Session, after: Session) => ({
  turns: decidable(after).filter(
    (prompt) => !has(before.unresolved_prompts, prompt),
  ),
  questions: before.pending_permissions.filter(
    (permission) => !has(after.pending_permissions, permission),
  ),
});

type Unresolved = Session["unresolved_prompts"][number];

/** Those that can still be decided about: in a session that has ended, none. */
export const decidable = ({
  state,
  unresolved_prompts,
}: Session): readonly Unresolved[] =>
  isTerminal(state) ? [] : unresolved_prompts;

/** What goes on by itself waits for nobody. */
export const goesOn = ({ goes_on = null }: Unresolved): boolean =>
  goes_on !== null;

/** Those that still matter in a list: where a later turn is over, the work went on without a decision. */
export const awaitingDecision = (session: Session): readonly Unresolved[] =>
  decidable(session).filter(
    (prompt) =>
      !goesOn(prompt) &&
      (prompt.turn === null || prompt.turn >= session.turn_count),
  );

/** Every prompt that waits for a decision, with the commands that make it. */
export const undecided = (
  session: string,
  prompts: readonly Unresolved[],
  program: string,
): string =>
  prompts
    .filter((prompt) => !goesOn(prompt))
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
