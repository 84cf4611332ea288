import { useState } from "react";
import type { Task } from "../../../../src/contract/task/task.ts";
import { Age } from "../../kit/age.tsx";
import { Button } from "../../kit/button.tsx";
import style from "./task-text.module.css";

/** Of a longer text the beginning is shown first. */
const FIRST = 1_200;

/** What is asked for: the description, and every context that was added. */
export const TaskText = ({
  task: { title, description, contexts, created_at },
}: {
  task: Task;
}) => (
  <section className={style.text} aria-labelledby="asked-for">
    <h2 id="asked-for">What is asked for</h2>
    <ol className={style.versions}>
      <Version
        name="Description"
        text={description === "" ? title : description}
        at={created_at}
      />
      {contexts.map(({ version, name, text, at }) => (
        <Version
          key={version}
          name={`Context ${version - 1}${name === undefined ? "" : ` · ${name}`}`}
          text={text}
          at={at}
        />
      ))}
    </ol>
  </section>
);

const Version = ({
  name,
  text,
  at,
}: {
  name: string;
  text: string;
  at: string;
}) => {
  const [isWhole, setWhole] = useState(text.length <= FIRST);
  return (
    <li>
      <p className={style.when}>
        {name} · <Age at={at} />
      </p>
      <div className={style.words}>
        {isWhole ? text : `${text.slice(0, FIRST)}…`}
      </div>
      {!isWhole && (
        <Button size="small" kind="plain" onClick={() => setWhole(true)}>
          Show all of it
        </Button>
      )}
    </li>
  );
};
