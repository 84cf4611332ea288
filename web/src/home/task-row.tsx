import { Link } from "wouter";
import { Chip } from "../kit/chip.tsx";
import { classes } from "../kit/classes.ts";
import { Glyph } from "../kit/glyph.tsx";
import { taskPath } from "../routes.ts";
import { counted } from "../words/counts.ts";
import { chipTone, taskWord } from "../words/task-words.ts";
import type { HomeItem } from "./sections.ts";
import { ROW } from "../frame/use-row-keys.ts";
import style from "./home.module.css";

export const TaskRow = ({
  item: { task, isFirst, isLast },
}: {
  item: Extract<HomeItem, { kind: "task" }>;
}) => {
  const { glyph, word } = taskWord(task);
  return (
    <Link
      href={taskPath(task.id)}
      className={classes(
        style.row,
        style.task,
        isFirst && style.first,
        isLast && style.last,
      )}
      {...{ [ROW]: task.id }}
    >
      <Glyph state={glyph} />
      <span className={style.title}>{task.title}</span>
      <Chip tone={chipTone(task)}>{word}</Chip>
      <span className={style.fact}>{counted(task.attempts, "attempt")}</span>
    </Link>
  );
};
