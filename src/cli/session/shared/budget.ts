/** Budgets as they are said on the command line: `turns=20,minutes=60`. */
import { Budget, BudgetKind } from "../../../contract/base/budget.ts";
import { UsageError } from "../../parsing/usage-error.ts";

export const budgetOption = {
  kind: "text",
  value: "BUDGET",
  help: "what it may spend in all, such as turns=20,minutes=60,tokens=200000,cost=5: any of them; then it stops and needs you",
} as const;

/** For what has a budget already: parts that are not named stay, and `none` takes it away. */
export const newBudgetOption = {
  ...budgetOption,
  help: "what it may spend in all, such as turns=40,minutes=120,tokens=400000,cost=10; parts that are not named stay as they are; none: whatever it takes",
} as const;

export const newBudgetIn = (
  text: string | undefined,
): Budget | null | undefined => {
  if (text === undefined) return undefined;
  return text === "none" ? null : budgetIn(text);
};

export const budgetIn = (text: string): Budget => {
  const pairs = text.split(",").map((part) => pairOf(text, part));
  const budget = Budget.safeParse(Object.fromEntries(pairs));
  if (
    budget.success &&
    new Set(pairs.map(([name]) => name)).size === pairs.length
  )
    return budget.data;
  const why = budget.error?.issues[0]?.message ?? "it names something twice";
  throw new UsageError(`"${text}" is not a budget: ${why}. ${EXAMPLE}`);
};

const EXAMPLE = "Write it as turns=20,minutes=60,tokens=200000,cost=5.";

const pairOf = (text: string, part: string): [string, number] => {
  const [, name = "", amount = ""] =
    /^\s*([a-z]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
  const what = BudgetKind.safeParse(name).data;
  if (what !== undefined) return [what, Number(amount)];
  throw new UsageError(`"${text}" is not a budget. ${EXAMPLE}`);
};
