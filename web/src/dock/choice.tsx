import { useState } from "react";
import type { Choosable } from "./choices.ts";
import { refusalWords } from "../words/refusal-words.ts";
import style from "./choice.module.css";

/** The model or the mode. Shown is what is in force: a choice counts when the server has taken it. */
export const Choice = ({
  choosable: { what, current, values, isLater },
  onChoose,
}: {
  choosable: Choosable;
  onChoose: (value: string) => Promise<void>;
}) => {
  const [isWaiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const name = what === "model" ? "Model" : "Mode";
  return (
    <label
      className={style.choice}
      data-refused={refusal !== null || undefined}
      title={
        refusal ??
        (isLater ? `${name}: from the next start of the agent` : name)
      }
    >
      <span className={style.name}>{name}</span>
      <select
        value={current ?? ""}
        disabled={isWaiting}
        onChange={({ target: { value } }) => {
          setWaiting(true);
          setRefusal(null);
          onChoose(value)
            .catch((error: unknown) => setRefusal(refusalWords(error)))
            .finally(() => setWaiting(false));
        }}
      >
        {current === null && <option value="">{what}</option>}
        {values.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};
