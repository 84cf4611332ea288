import { useState } from "react";
import { Link } from "wouter";
import { refusalWords } from "../words/refusal-words.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { sessionPath, taskPath } from "../routes.ts";
import { date } from "../words/age.ts";
import type { TrashRow } from "./trash-rows.ts";
import style from "./trash.module.css";

export const TrashLine = ({
  row,
  failure,
  isLocked,
  onTakeOut,
  onPurge,
}: {
  row: TrashRow;
  /** Why it could not be deleted for good. */
  failure: string | null;
  /** Something is being deleted for good. */
  isLocked: boolean;
  onTakeOut: () => Promise<void>;
  /** Asks first. */
  onPurge: () => void;
}) => {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const takeOut = (): void => {
    setBusy(true);
    setRefusal(null);
    onTakeOut().catch((error: unknown) => {
      setRefusal(refusalWords(error));
      setBusy(false);
    });
  };
  const words = refusal ?? failure;
  const isSession = row.kind === "session";
  return (
    <li className={style.row}>
      <Icon name={isSession ? "list" : "tasks"} size={14} />
      <div className={style.words}>
        <Link
          className={style.name}
          href={isSession ? sessionPath(row.id) : taskPath(row.id)}
        >
          {row.name}
        </Link>
        <span className={style.about}>
          {isSession ? "Session" : "Task"}
          {row.about !== "" && ` · ${row.about}`}
        </span>
        {words !== null && (
          <span className={style.refusal} role="alert">
            {words}
          </span>
        )}
      </div>
      <span
        className={style.until}
        title={`Deleted ${new Date(row.deletedAt).toLocaleString()}`}
      >
        In the trash until {date(row.until)}
      </span>
      <div className={style.acts}>
        <Button size="small" disabled={isBusy || isLocked} onClick={takeOut}>
          Take it out
        </Button>
        <Button
          size="small"
          kind="plain"
          disabled={isBusy || isLocked}
          onClick={onPurge}
        >
          Delete for good…
        </Button>
      </div>
    </li>
  );
};
