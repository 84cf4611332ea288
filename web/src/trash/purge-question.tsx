import * as Ariakit from "@ariakit/react";
import { Button } from "../kit/button.tsx";
import { counted } from "../words/counts.ts";
import type { TrashRow } from "./trash-rows.ts";
import style from "./purge-question.module.css";

/** Asked before anything is deleted for good: it says what is lost. */
const PurgeQuestion = ({
  rows,
  isAll,
  onSure,
  onCancel,
}: {
  rows: readonly TrashRow[];
  /** All that is in the trash, instead of one row. */
  isAll: boolean;
  onSure: () => void;
  onCancel: () => void;
}) => {
  const sessions = rows.filter(({ kind }) => kind === "session").length;
  const tasks = rows.length - sessions;
  return (
    <Ariakit.Dialog
      open
      onClose={onCancel}
      className={style.dialog}
      backdrop={<div className={style.veil} />}
    >
      <Ariakit.DialogHeading className={style.heading}>
        {isAll ? "Empty the trash?" : `Delete “${rows[0]?.name}” for good?`}
      </Ariakit.DialogHeading>
      {isAll && <p>{counts(sessions, tasks)} will be deleted for good.</p>}
      {sessions > 0 && (
        <p>
          {sessions === 1 && !isAll ? "Its conversation" : "Conversations"},
          checkpoints, and the directories and worktrees that were made for{" "}
          {sessions === 1 && !isAll ? "it" : "them"} are lost. Forks stay.
        </p>
      )}
      {tasks > 0 && (
        <p>
          {isAll ? "Of tasks, what" : "What"} was asked for and the attempts are
          lost. Their sessions stay.
        </p>
      )}
      <p>It cannot be brought back.</p>
      <div className={style.acts}>
        <Ariakit.DialogDismiss render={<Button>Cancel</Button>} />
        <Button kind="danger" onClick={onSure}>
          {isAll ? "Empty the trash" : "Delete for good"}
        </Button>
      </div>
    </Ariakit.Dialog>
  );
};

const counts = (sessions: number, tasks: number): string =>
  [
    ...(sessions > 0 ? [counted(sessions, "session")] : []),
    ...(tasks > 0 ? [counted(tasks, "task")] : []),
  ].join(" and ");

export default PurgeQuestion;
