import * as z from "zod";

/** The most of each that can be said. */
const MOST = { turns: 1_000_000, minutes: 10_000_000, tokens: 1e15, cost: 1e9 };

/** What a session or a task may spend, in all: any of these, or several. */
export const Budget = z
  .strictObject({
    turns: z.number().int().min(1).max(MOST.turns).optional(),
    /** In which the agent works; waiting for a person does not count. */
    minutes: z.number().positive().max(MOST.minutes).optional(),
    tokens: z.number().int().min(1).max(MOST.tokens).optional(),
    /** In the currency that the agent tells its cost in. */
    cost: z.number().positive().max(MOST.cost).optional(),
  })
  .refine(
    (budget) => Object.values(budget).some((value) => value !== undefined),
    "give at least one of turns, minutes, tokens and cost",
  );
export type Budget = z.infer<typeof Budget>;

/** In the order in which they are looked at. */
export const budgetKinds = ["turns", "minutes", "tokens", "cost"] as const;
export const BudgetKind = z.enum(budgetKinds);
export type BudgetKind = z.infer<typeof BudgetKind>;

/** Whether `Budget` takes so much of it: for the page, which has no schemas. */
export const isLimit = (what: BudgetKind, amount: number): boolean =>
  amount > 0 &&
  amount <= MOST[what] &&
  (what === "minutes" || what === "cost" || Number.isSafeInteger(amount));

/** What was spent. Null: no agent has told. */
export const Spent = z.object({
  turns: z.number().int(),
  minutes: z.number(),
  tokens: z.number().int().nullable(),
  cost: z.number().nullable(),
});
export type Spent = z.infer<typeof Spent>;

export const NOTHING_SPENT: Spent = {
  turns: 0,
  minutes: 0,
  tokens: null,
  cost: null,
};

/** What is used up of a budget. */
export const UsedUp = z.object({
  what: BudgetKind,
  limit: z.number(),
  spent: z.number(),
});
export type UsedUp = z.infer<typeof UsedUp>;

/** A session's budget and what of it is spent. */
export const SessionBudget = z.object({
  limits: Budget,
  spent: Spent,
  /** What is used up: the session takes no prompts until the budget is raised. */
  reached: BudgetKind.nullable(),
});
export type SessionBudget = z.infer<typeof SessionBudget>;

/** The first part of a budget that is used up; null when there is something left of each. */
export const usedUp = (budget: Budget, spent: Spent): UsedUp | null => {
  for (const what of budgetKinds) {
    const { [what]: limit } = budget;
    const amount = spent[what] ?? 0;
    if (limit !== undefined && amount >= limit)
      return { what, limit, spent: amount };
  }
  return null;
};

/** `20 of 20 turns`. */
export const usedUpWords = ({ what, limit, spent }: UsedUp): string =>
  what === "cost"
    ? `a cost of ${rounded(spent)} of ${limit}`
    : `${rounded(spent)} of ${limit} ${what}`;

/** `turns 20, minutes 60`. */
export const limitWords = (budget: Budget | null): string =>
  budget === null
    ? "none"
    : budgetKinds
        .flatMap((what) => {
          const { [what]: limit } = budget;
          return limit === undefined ? [] : [`${what} ${limit}`];
        })
        .join(", ");

/** `turns 3 of 20, minutes 1.5 of 60`. */
export const budgetWords = (budget: Budget, spent: Spent): string =>
  budgetKinds
    .flatMap((what) => {
      const { [what]: limit } = budget;
      const { [what]: amount } = spent;
      return limit === undefined
        ? []
        : [
            `${what} ${amount === null ? "not told" : rounded(amount)} of ${limit}`,
          ];
    })
    .join(", ");

const rounded = (amount: number): number => Math.round(amount * 100) / 100;
