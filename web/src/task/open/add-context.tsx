import { useState } from "react";
import type { Client } from "../../../../src/client/client.ts";
import type { Task } from "../../../../src/contract/task/task.ts";
import { Button } from "../../kit/button.tsx";
import type { Drafts } from "../../store/drafts.ts";
import { useAction } from "../use-action.ts";
import { contextHint, type TaskActions } from "./task-actions.ts";
import style from "./add-context.module.css";

/** More that is asked for. What is typed is kept in the browser until the server has it. */
export const AddContext = ({
  task,
  context,
  client,
  drafts,
  onDone,
}: {
  task: Task;
  context: NonNullable<TaskActions["context"]>;
  client: Pick<Client, "addContext">;
  drafts: Drafts;
  onDone: () => Promise<void>;
}) => {
  const draft = `context.${task.id}`;
  const [text, setText] = useState(() => drafts.read(draft)?.text ?? "");
  const { isBusy, failure, run } = useAction();
  const change = (typed: string): void => {
    setText(typed);
    drafts.write(draft, typed);
  };
  const send = (): void => {
    if (text.trim() === "") return;
    const kept = drafts.read(draft)?.key;
    run(text, async (made) => {
      const key = kept ?? made;
      await client.addContext(task.id, { text, key });
      drafts.taken(draft, key);
      setText((now) => (now === text ? "" : now));
      await onDone();
    });
  };
  return (
    <form
      className={style.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label className={style.label} htmlFor="more-context">
        More context
      </label>
      <div className={style.box}>
        <textarea
          id="more-context"
          rows={2}
          value={text}
          placeholder="What else is asked for, or what is not right yet"
          aria-describedby="context-hint"
          onChange={({ target }) => change(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              send();
            }
          }}
        />
        <div className={style.foot}>
          <span id="context-hint">{contextHint(context)}</span>
          <Button type="submit" disabled={isBusy || text.trim() === ""}>
            Add context
          </Button>
        </div>
      </div>
      {failure !== null && (
        <p className={style.failure} role="alert">
          {failure}
        </p>
      )}
    </form>
  );
};
