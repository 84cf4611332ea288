import { Link } from "wouter";
import type { Task } from "../../../src/contract/task/task.ts";
import { Chip } from "../kit/chip.tsx";
import { classes } from "../kit/classes.ts";
import { taskPath } from "../routes.ts";
import { counted } from "../words/counts.ts";
import type { HomeItem } from "./sections.ts";
import { ROW } from "./use-home-keys.ts";
import style from "./home.module.css";

const words: Readonly<Record<Task["state"], string>> = {
  TODO: "To do",
  IN_PROGRESS: "In progress",
  REVIEW: "Review",
  DONE: "Done",
  CANCELLED: "Cancelled",
  FAILED: "Failed",
};

export const TaskRow = ({
  item: { task, isFirst, isLast },
}: {
  item: Extract<HomeItem, { kind: "task" }>;
}) => (
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
    <span className={style.title}>{task.title}</span>
    <Chip tone={task.state === "FAILED" ? "red" : "neutral"}>
      {words[task.state]}
    </Chip>
    <span className={style.fact}>{counted(task.attempts, "attempt")}</span>
  </Link>
);
