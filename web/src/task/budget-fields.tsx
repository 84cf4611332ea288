import { type BudgetKind, budgetKinds } from "../../../src/contract/base/budget.ts";
import { budgetFrom, type BudgetTexts } from "./budget-form.ts";
import style from "./budget-fields.module.css";

const labels: Readonly<Record<BudgetKind, string>> = {
  turns: "Turns",
  minutes: "Minutes",
  tokens: "Tokens",
  cost: "Cost",
};

/** What all attempts may spend together. */
export const BudgetFields = ({
  texts,
  onChange,
}: {
  texts: BudgetTexts;
  onChange: (texts: BudgetTexts) => void;
}) => (
  <fieldset className={style.fields}>
    <legend>What all attempts may spend together; empty: not limited</legend>
    {budgetKinds.map((kind) => (
      <label key={kind}>
        {labels[kind]}
        <input
          inputMode="decimal"
          value={texts[kind]}
          onChange={({ target }) =>
            onChange({ ...texts, [kind]: target.value })
          }
        />
      </label>
    ))}
    {budgetFrom(texts) === "wrong" && (
      <p className={style.wrong} role="alert">
        Give numbers above zero; turns and tokens are whole ones.
      </p>
    )}
  </fieldset>
);
