import { Link } from "wouter";
import type { Task } from "../../../../src/contract/task/task.ts";
import { usePageTitle } from "../../frame/page-title.tsx";
import { Age } from "../../kit/age.tsx";
import { Chip } from "../../kit/chip.tsx";
import { Glyph } from "../../kit/glyph.tsx";
import { Icon } from "../../kit/icon.tsx";
import type { Agents } from "../../store/agents.ts";
import { counted } from "../../words/counts.ts";
import { chipTone, taskWord } from "../../words/task-words.ts";
import style from "./task-head.module.css";

/** Which task this is, and how it stands. */
export const TaskHead = ({
  task,
  agents,
}: {
  task: Task;
  agents: Pick<Agents, "name">;
}) => {
  usePageTitle(task.title);
  const { glyph, word } = taskWord(task);
  return (
    <header className={style.header}>
      <Link className={style.back} href="/tasks" aria-label="All tasks">
        <Icon name="left" />
      </Link>
      <div className={style.names}>
        <h1>{task.title}</h1>
        <div className={style.facts}>
          <Chip tone={chipTone(task)}>
            <Glyph state={glyph} />
            {word}
          </Chip>
          {task.agent !== undefined && <span>{agents.name(task.agent)}</span>}
          <span>{counted(task.attempts, "attempt")}</span>
          {task.name !== undefined && <code>{task.name}</code>}
          <Age at={task.last_updated} />
        </div>
      </div>
    </header>
  );
};
