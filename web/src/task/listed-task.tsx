import { Link } from "wouter";
import { classes } from "../kit/classes.ts";
import { Age } from "../kit/age.tsx";
import { Chip } from "../kit/chip.tsx";
import { Glyph } from "../kit/glyph.tsx";
import { useSelected } from "../kit/use-readable.ts";
import { ROW } from "../frame/use-row-keys.ts";
import { SmallLine } from "../line/small-line.tsx";
import { taskPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { counted } from "../words/counts.ts";
import { chipTone, taskWord } from "../words/task-words.ts";
import type { TaskItem } from "./list-items.ts";
import style from "./task-list.module.css";

/** A row: glyph, title over the description, line of its session, state, agent, attempts, age. */
export const ListedTask = ({
  item: { task, isFirst, isLast },
  stores: { sessions, agents },
}: {
  item: Extract<TaskItem, { kind: "task" }>;
  stores: Pick<PageStores, "sessions" | "agents">;
}) => {
  const { glyph, word } = taskWord(task);
  const session = useSelected(sessions, ({ byId }) =>
    task.session_id === null ? undefined : byId.get(task.session_id),
  );
  return (
    <Link
      href={taskPath(task.id)}
      className={classes(
        style.row,
        isFirst && style.first,
        isLast && style.last,
      )}
      {...{ [ROW]: task.id }}
    >
      <Glyph state={glyph} />
      <span className={style.name}>
        <span className={style.title}>{task.title}</span>
        <span className={style.words}>{task.description}</span>
      </span>
      <span className={style.line}>
        {session !== undefined && <SmallLine marks={session.line_tail} />}
      </span>
      <Chip tone={chipTone(task)}>{word}</Chip>
      <span className={style.fact}>
        {task.agent === undefined ? "" : agents.name(task.agent)}
      </span>
      <span className={style.fact}>{counted(task.attempts, "attempt")}</span>
      <Age at={task.last_updated} className={style.age} />
    </Link>
  );
};
