import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { TopBar } from "../frame/top-bar.tsx";
import { Button, ButtonLink } from "../kit/button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { taskPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import type { Drafts } from "../store/drafts.ts";
import { agentName } from "../words/agent-name.ts";
import { BudgetFields } from "./budget-fields.tsx";
import {
  formFrom,
  type NewTaskForm,
  requestOf,
  textOf,
} from "./new-task-form.ts";
import { useAction } from "./use-action.ts";
import style from "./new-task.module.css";

const DRAFT = "task.new";

/** What is to be done, by whom, and where. What is typed is kept until the task is there. */
export const NewTask = ({
  stores: { client, agents, sessions },
  drafts,
}: {
  stores: PageStores;
  drafts: Drafts;
}) => {
  const [, navigate] = useLocation();
  const { isBusy, failure, run } = useAction();
  const known = useReadable(agents);
  const { directories } = useReadable(sessions);
  const [form, setForm] = useState(() =>
    formFrom(drafts.read(DRAFT)?.text ?? ""),
  );
  useEffect(() => void agents.load(), [agents]);
  const change = (more: Partial<NewTaskForm>): void => {
    const changed = { ...form, ...more };
    setForm(changed);
    drafts.write(DRAFT, textOf(changed));
  };
  const request = requestOf(form);
  const create = (isRun: boolean): void => {
    if (request === null) return;
    run(textOf(form), async (made) => {
      const key = drafts.read(DRAFT)?.key ?? made;
      const { id } = await client.createTask(
        { ...request, run: isRun },
        { key: `${key}.${isRun}` },
      );
      drafts.taken(DRAFT, key);
      navigate(taskPath(id));
    });
  };
  const choices =
    known.kind === "known"
      ? known.agents.map(({ id, name }) => ({ id, name }))
      : [{ id: form.agent, name: agentName(form.agent) }];
  return (
    <>
      <TopBar title="New task" />
      <form
        className={style.form}
        onSubmit={(event) => {
          event.preventDefault();
          create(true);
        }}
      >
        <label className={style.field}>
          Title
          <input
            required
            maxLength={500}
            value={form.title}
            onChange={({ target }) => change({ title: target.value })}
          />
        </label>
        <label className={style.field}>
          What is to be done
          <textarea
            rows={6}
            value={form.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        </label>
        <div className={style.pair}>
          <label className={style.field}>
            Agent
            <select
              value={form.agent}
              onChange={({ target }) => change({ agent: target.value })}
            >
              {choices.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label className={style.field}>
            Directory
            <input
              list="known-directories"
              placeholder="/path/to/project; empty: one of its own"
              value={form.directory}
              onChange={({ target }) => change({ directory: target.value })}
            />
          </label>
          <datalist id="known-directories">
            {directories.map(({ path }) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </datalist>
        </div>
        <label className={style.check}>
          <input
            type="checkbox"
            checked={form.isWorktree}
            onChange={({ target }) => change({ isWorktree: target.checked })}
          />
          In a git worktree of its own
        </label>
        <details className={style.more}>
          <summary>Budget</summary>
          <BudgetFields
            texts={form.budget}
            onChange={(budget) => change({ budget })}
          />
        </details>
        {failure !== null && (
          <p className={style.failure} role="alert">
            {failure}
          </p>
        )}
        <div className={style.buttons}>
          <Button
            type="submit"
            kind="primary"
            disabled={isBusy || request === null}
          >
            Create and run
          </Button>
          <Button
            disabled={isBusy || request === null}
            onClick={() => create(false)}
          >
            Create
          </Button>
          <ButtonLink kind="plain" href="/tasks">
            Cancel
          </ButtonLink>
        </div>
      </form>
    </>
  );
};
