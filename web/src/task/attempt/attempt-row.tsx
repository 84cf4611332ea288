import { useState } from "react";
import type { Client } from "../../../../src/client/client.ts";
import type { Spent } from "../../../../src/contract/base/budget.ts";
import type { Attempt } from "../../../../src/contract/task/task.ts";
import { Chip } from "../../kit/chip.tsx";
import { Icon } from "../../kit/icon.tsx";
import { duration } from "../../words/age.ts";
import { counted } from "../../words/counts.ts";
import { modeWord, outcomeWord } from "../../words/task-words.ts";
import { AttemptDetails } from "./attempt-details.tsx";
import type { Axis } from "./time-axis.ts";
import type { Track } from "./track.ts";
import { TrackDrawing } from "./track-drawing.tsx";
import style from "./attempts.module.css";

/** One attempt; opened, it tells what happened and shows what it changed. */
export const AttemptRow = ({
  attempt,
  track,
  axis,
  spent,
  agentName,
  client,
}: {
  attempt: Attempt;
  track: Track;
  axis: Axis;
  spent: Spent | null;
  agentName: string;
  client: Pick<Client, "showDiff" | "showPrompt">;
}) => {
  const [isOpen, setOpen] = useState(false);
  const { number, files_changed, files_left_out = 0, grade } = attempt;
  return (
    <li className={style.attempt}>
      <button
        type="button"
        className={style.row}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={style.name}>
          <b>{number}</b> {modeWord(attempt)}
          <span className={style.agent}>{agentName}</span>
        </span>
        <TrackDrawing track={track} axis={axis} />
        <span className={style.outcome}>
          <Chip tone={toneOf(attempt)}>{outcomeWord(attempt)}</Chip>
          {grade != null && <Chip tone="outline">{grade}</Chip>}
        </span>
        <span className={style.figures}>
          <span>
            {files_changed !== null &&
              counted(files_changed.length + files_left_out, "file")}
          </span>
          <span>{duration(track.to - track.from)}</span>
        </span>
        <span className={style.arrow} data-open={isOpen || undefined}>
          <Icon name="right" size={14} />
        </span>
      </button>
      {isOpen && (
        <AttemptDetails
          attempt={attempt}
          track={track}
          spent={spent}
          client={client}
        />
      )}
    </li>
  );
};

const toneOf = ({
  outcome,
}: Attempt): "green" | "red" | "accent" | "neutral" => {
  switch (outcome) {
    case "succeeded":
      return "green";
    case "failed":
    case "interrupted":
    case "timed_out":
      return "red";
    case "cancelled":
      return "neutral";
    case undefined:
      return "accent";
  }
};
