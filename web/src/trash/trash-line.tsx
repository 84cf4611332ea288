import { useState } from "react";
import { Link } from "wouter";
import { refusalWords } from "../dock/refusal-words.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { sessionPath, taskPath } from "../routes.ts";
import { date } from "../words/age.ts";
import type { TrashRow } from "./trash-rows.ts";
import style from "./trash.module.css";

export const TrashLine = ({
  row,
  onTakeOut,
}: {
  row: TrashRow;
  onTakeOut: () => Promise<void>;
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
        {refusal !== null && (
          <span className={style.refusal} role="alert">
            {refusal}
          </span>
        )}
      </div>
      <span
        className={style.until}
        title={`Deleted ${new Date(row.deletedAt).toLocaleString()}`}
      >
        In the trash until {date(row.until)}
      </span>
      <Button size="small" disabled={isBusy} onClick={takeOut}>
        Take it out
      </Button>
    </li>
  );
};
