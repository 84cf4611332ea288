import { budgetWords } from "../../contract/base/budget.ts";
import type { Session } from "../../contract/session/session.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { budgetIn } from "./shared/budget.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const budget = command({
  name: "session budget",
  summary: "Show what a session has spent, or say what it may spend",
  about:
    "When something of the budget is used up, the turn ends after the tool call that runs, and the session takes no prompts until the budget is raised. What was spent before counts.",
  args: [
    sessionArgument,
    {
      name: "BUDGET",
      help: "what it may spend in all, such as turns=40,minutes=120,tokens=400000,cost=10; parts that are not named stay as they are; none: whatever it takes",
      optional: true,
    },
  ],
  options: {},
  examples: [
    "reprise session budget ses_01jm",
    "reprise session budget ses_01jm turns=40,cost=10",
    "reprise session budget ses_01jm none",
  ],
  async run({ args }, world) {
    const { BUDGET: said } = args;
    const parts = said === undefined || said === "none" ? null : budgetIn(said);
    const { client, id } = await targetOf(world, args.ID);
    const before = await client.showSession(id);
    const session =
      said === undefined
        ? before
        : await client.setBudget(
            id,
            parts && { ...before.budget?.limits, ...parts },
          );
    answer(world, session, () => wordsOf(session));
    return 0;
  },
});

const wordsOf = ({ id, budget: held }: Session): string => {
  if (held === null) return `${id} has no budget.`;
  const spent = budgetWords(held.limits, held.spent);
  return held.reached === null
    ? `${id} has spent ${spent}.`
    : `${id} has used up its ${held.reached}: ${spent}.`;
};
