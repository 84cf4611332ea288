import { useState } from "react";
import type { Client } from "../../../../src/client/client.ts";
import type { Task } from "../../../../src/contract/task/task.ts";
import { Button } from "../../kit/button.tsx";
import { useAction } from "../use-action.ts";
import { ConfirmAction } from "./confirm-action.tsx";
import {
  actionHints,
  actionsOf,
  actionWords,
  confirmationOf,
  type TaskAction,
} from "./task-actions.ts";
import style from "./task-buttons.module.css";

type TaskClient = Pick<
  Client,
  | "runTask"
  | "retryTask"
  | "finishTask"
  | "cancelTask"
  | "deleteTask"
  | "undeleteTask"
>;

/** What can be done with the whole task. What is final is asked for twice. */
export const TaskButtons = ({
  task,
  client,
  onDone,
}: {
  task: Task;
  client: TaskClient;
  onDone: () => Promise<void>;
}) => {
  const { isBusy, failure, run } = useAction();
  const [asked, setAsked] = useState<TaskAction | null>(null);
  const { suggested, others } = actionsOf(task);
  const perform = (action: TaskAction): void => {
    setAsked(null);
    run(action, async (key) => {
      try {
        await call(client, task, action, key);
      } finally {
        // Also a refusal means that it is not as it is shown.
        await onDone();
      }
    });
  };
  const confirmation = asked === null ? null : confirmationOf(asked, task);
  return (
    <div className={style.buttons} aria-busy={isBusy}>
      {asked !== null && confirmation !== null ? (
        <ConfirmAction
          text={confirmation}
          word={actionWords[asked]}
          onConfirm={() => perform(asked)}
          onLeave={() => setAsked(null)}
        />
      ) : (
        [...(suggested === null ? [] : [suggested]), ...others].map(
          (action) => (
            <Button
              key={action}
              kind={kindOf(action, suggested)}
              title={actionHints[action]}
              disabled={isBusy}
              onClick={() =>
                confirmationOf(action, task) === null
                  ? perform(action)
                  : setAsked(action)
              }
            >
              {actionWords[action]}
            </Button>
          ),
        )
      )}
      {failure !== null && (
        <p className={style.failure} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
};

const kindOf = (
  action: TaskAction,
  suggested: TaskAction | null,
): "primary" | "plain" | "default" => {
  if (action === suggested) return "primary";
  return action === "cancel" || action === "delete" ? "plain" : "default";
};

const call = (
  client: TaskClient,
  { id }: Task,
  action: TaskAction,
  key: string,
): Promise<Task> => {
  switch (action) {
    case "run":
      return client.runTask(id, { key });
    case "continue":
    case "fresh":
      return client.retryTask(id, { mode: action, key });
    case "done":
      return client.finishTask(id, { key });
    case "cancel":
      return client.cancelTask(id, { key });
    case "delete":
      return client.deleteTask(id);
    case "undelete":
      return client.undeleteTask(id, { key });
  }
};
