import { useState } from "react";
import type { Client } from "../../../../src/client/client.ts";
import type { Task } from "../../../../src/contract/task/task.ts";
import { Button } from "../../kit/button.tsx";
import { BudgetFields } from "../budget-fields.tsx";
import { budgetFrom, budgetTexts, type BudgetTexts } from "../budget-form.ts";
import { useAction } from "../use-action.ts";
import style from "./task-facts.module.css";

/** Raises the budget, or takes it away. */
export const ChangeBudget = ({
  task,
  client,
  onDone,
}: {
  task: Task;
  client: Pick<Client, "changeTask">;
  onDone: () => Promise<void>;
}) => {
  const [texts, setTexts] = useState<BudgetTexts | null>(null);
  const { isBusy, failure, run } = useAction();
  if (texts === null)
    return (
      <Button
        size="small"
        onClick={() => setTexts(budgetTexts(task.budget?.limits))}
      >
        Change budget
      </Button>
    );
  const budget = budgetFrom(texts);
  return (
    <form
      className={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (budget === "wrong") return;
        run(JSON.stringify(budget), async (key) => {
          await client.changeTask(task.id, { budget, key });
          setTexts(null);
          await onDone();
        });
      }}
    >
      <BudgetFields texts={texts} onChange={setTexts} />
      <div className={style.buttons}>
        <Button
          type="submit"
          size="small"
          disabled={isBusy || budget === "wrong"}
        >
          Save budget
        </Button>
        <Button size="small" kind="plain" onClick={() => setTexts(null)}>
          Cancel
        </Button>
      </div>
      {failure !== null && (
        <p className={style.failure} role="alert">
          {failure}
        </p>
      )}
    </form>
  );
};
