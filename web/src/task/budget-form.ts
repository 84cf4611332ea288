/** A budget as it is typed. An empty field is no limit. */
import {
  type Budget,
  type BudgetKind,
  budgetKinds,
  isLimit,
} from "../../../src/contract/base/budget.ts";

export type BudgetTexts = Readonly<Record<BudgetKind, string>>;

export const budgetTexts = (budget?: Budget): BudgetTexts => ({
  turns: String(budget?.turns ?? ""),
  minutes: String(budget?.minutes ?? ""),
  tokens: String(budget?.tokens ?? ""),
  cost: String(budget?.cost ?? ""),
});

/** Null where nothing is limited; `wrong` where a field holds no amount. */
export const budgetFrom = (texts: BudgetTexts): Budget | null | "wrong" => {
  const typed = budgetKinds.filter((kind) => texts[kind].trim() !== "");
  if (typed.length === 0) return null;
  const budget: Budget = {};
  for (const kind of typed) {
    const amount = Number(texts[kind].trim().replace(",", "."));
    if (!isLimit(kind, amount)) return "wrong";
    budget[kind] = amount;
  }
  return budget;
};
