/** A budget as it is typed. An empty field is no limit. */
import { Budget, BudgetKind } from "../../../src/contract/base/budget.ts";

export type BudgetTexts = Readonly<Record<BudgetKind, string>>;

export const budgetTexts = (budget?: Budget): BudgetTexts => ({
  turns: String(budget?.turns ?? ""),
  minutes: String(budget?.minutes ?? ""),
  tokens: String(budget?.tokens ?? ""),
  cost: String(budget?.cost ?? ""),
});

/** Null where nothing is limited; `wrong` where a field holds no amount. */
export const budgetFrom = (texts: BudgetTexts): Budget | null | "wrong" => {
  const typed = BudgetKind.options.filter((kind) => texts[kind].trim() !== "");
  if (typed.length === 0) return null;
  const amounts = Object.fromEntries(
    typed.map((kind) => [kind, Number(texts[kind].trim().replace(",", "."))]),
  );
  const parsed = Budget.safeParse(amounts);
  return parsed.success ? parsed.data : "wrong";
};
