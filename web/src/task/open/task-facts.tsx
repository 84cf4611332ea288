import { budgetWords } from "../../../../src/contract/base/budget.ts";
import type { Client } from "../../../../src/client/client.ts";
import type { Task } from "../../../../src/contract/task/task.ts";
import { counted } from "../../words/counts.ts";
import { ChangeBudget } from "./change-budget.tsx";
import style from "./task-facts.module.css";

/** Where it works, and what its attempts may take. */
export const TaskFacts = ({
  task,
  client,
  onDone,
}: {
  task: Task;
  client: Pick<Client, "changeTask">;
  onDone: () => Promise<void>;
}) => {
  const { budget, timeout_minutes, retry, worktree } = task;
  const place = worktree ?? task.cwd;
  return (
    <section className={style.facts} aria-label="Settings of the task">
      <dl>
        {place !== undefined && (
          <>
            <dt>{worktree === undefined ? "Directory" : "Worktree of"}</dt>
            <dd>
              <code>{place}</code>
            </dd>
          </>
        )}
        <dt>Budget</dt>
        <dd>
          {budget === undefined
            ? "Not limited"
            : budgetWords(budget.limits, budget.spent)}
        </dd>
        <dt>Time for an attempt</dt>
        <dd>
          {timeout_minutes === undefined
            ? "Not limited"
            : counted(timeout_minutes, "minute")}
        </dd>
        <dt>Tries again by itself</dt>
        <dd>
          {retry.limit === 0 ? "No" : `Up to ${counted(retry.limit, "time")}`}
        </dd>
      </dl>
      {task.closed_at === undefined && (
        <ChangeBudget task={task} client={client} onDone={onDone} />
      )}
    </section>
  );
};
