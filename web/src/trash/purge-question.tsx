import { Button } from "../kit/button.tsx";
import { Answers, Question } from "../overlay/question.tsx";
import { counted } from "../words/counts.ts";
import type { TrashRow } from "./trash-rows.ts";

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
    <Question
      title={isAll ? "Empty the trash?" : `Delete “${rows[0]?.name}” for good?`}
      onClose={onCancel}
    >
      {isAll && <p>{counts(sessions, tasks)} will be deleted for good.</p>}
      {sessions > 0 && (
        <p>
          {sessions === 1 && !isAll ? "Its conversation" : "Conversations"},
          checkpoints, and the directories and worktrees that were made for{" "}
          {sessions === 1 && !isAll ? "it" : "them"} are lost. Branches and
          forks stay.
        </p>
      )}
      {tasks > 0 && (
        <p>
          {isAll ? "Of tasks, what" : "What"} was asked for and the attempts are
          lost. Their sessions stay.
        </p>
      )}
      <p>It cannot be brought back.</p>
      <Answers>
        <Button kind="danger" onClick={onSure}>
          {isAll ? "Empty the trash" : "Delete for good"}
        </Button>
      </Answers>
    </Question>
  );
};

const counts = (sessions: number, tasks: number): string =>
  [
    ...(sessions > 0 ? [counted(sessions, "session")] : []),
    ...(tasks > 0 ? [counted(tasks, "task")] : []),
  ].join(" and ");

export default PurgeQuestion;
