import { useId } from "react";
import style from "./fields.module.css";

/** One of a few values. */
export const Picked = <T extends string | boolean | null>({
  name,
  value,
  options,
  onChange,
}: {
  name: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) => {
  const id = useId();
  return (
    <div className={style.field}>
      <label htmlFor={id}>{name}</label>
      <div className={style.input}>
        <select
          id={id}
          value={options.findIndex(([each]) => each === value)}
          onChange={({ target }) => {
            const chosen = options[Number(target.value)];
            if (chosen !== undefined) onChange(chosen[0]);
          }}
        >
          {options.map(([, words], i) => (
            <option key={words} value={i}>
              {words}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
};
