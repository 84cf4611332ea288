import type { Ref } from "react";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import type { Form } from "./form.ts";
import type { Refusal } from "./refusal.ts";
import style from "./fields.module.css";

const ways = [
  { value: "worktree", name: "A worktree of its own" },
  { value: "directory", name: "The directory itself" },
] as const;

/** The directory, and whether the agent works in it or beside it. */
export const Where = ({
  form,
  directories,
  refusal,
  onChange,
  ref,
}: {
  form: Pick<Form, "directory" | "workIn">;
  directories: readonly string[];
  refusal: Refusal | null;
  onChange: (change: Partial<Form>) => void;
  ref: Ref<HTMLInputElement>;
}) => {
  const isOwn = form.directory.trim() === "";
  return (
    <div className={style.fields}>
      <div className={style.field}>
        <label htmlFor="new-where">Where</label>
        <div className={style.input}>
          <Icon name="folder" size={14} />
          <input
            ref={ref}
            id="new-where"
            className={style.path}
            list="new-directories"
            value={form.directory}
            placeholder="An empty directory of its own"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            aria-invalid={refusal !== null}
            aria-describedby={refusal === null ? undefined : "new-where-not"}
            onChange={({ target }) => onChange({ directory: target.value })}
          />
        </div>
        <datalist id="new-directories">
          {directories.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </datalist>
        {refusal !== null && (
          <div id="new-where-not" className={style.refusal} role="alert">
            {refusal.text}
            {refusal.isNoRepository && (
              <Button
                size="small"
                onClick={() => onChange({ workIn: "directory" })}
              >
                Work in the directory itself
              </Button>
            )}
          </div>
        )}
      </div>
      <fieldset className={style.field} disabled={isOwn}>
        <legend>Work in</legend>
        <div className={style.segments}>
          {ways.map(({ value, name }) => (
            <label key={value}>
              <input
                type="radio"
                name="work-in"
                checked={!isOwn && form.workIn === value}
                onChange={() => onChange({ workIn: value })}
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </div>
  );
};
