import { Chip } from "../kit/chip.tsx";
import { smallOf } from "../../../src/session/line/marks.ts";
import { shortGrade } from "../words/grade.ts";
import type { Mark } from "./mark.ts";
import { SmallLine } from "./small-line.tsx";
import style from "./strip.module.css";

/** On a phone: the end of the line, with how the agent came back last. It opens the whole line. */
export const Strip = ({
  marks,
  onOpen,
}: {
  marks: readonly Mark[];
  onOpen: () => void;
}) => {
  const last = marks.findLast(
    (mark) => mark.kind === "break" || mark.kind === "tick",
  );
  const resume = last !== undefined && "resume" in last ? last.resume : null;
  const grade = resume === null ? [] : [shortGrade(resume)];
  return (
    <button
      type="button"
      className={style.strip}
      aria-label={["Open the line of this session", ...grade].join(", ")}
      onClick={onOpen}
    >
      <SmallLine marks={marks.map(smallOf)} />
      {grade.map((words) => (
        <Chip key="grade" tone="accent">
          {words}
        </Chip>
      ))}
    </button>
  );
};
