import type { Ref } from "react";
import type { Client } from "../../../src/client/client.ts";
import { Button } from "../kit/button.tsx";
import { DirectoryField } from "./directory-field.tsx";
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
  client,
  userHome,
  refusal,
  onChange,
  ref,
}: {
  form: Pick<Form, "directory" | "workIn">;
  directories: readonly string[];
  client: Pick<Client, "listDirectories">;
  userHome: string | null;
  refusal: Refusal | null;
  onChange: (change: Partial<Form>) => void;
  ref: Ref<HTMLInputElement>;
}) => {
  const isOwn = form.directory.trim() === "";
  return (
    <div className={style.fields}>
      <div className={style.field}>
        <label htmlFor="new-where">Where</label>
        <DirectoryField
          ref={ref}
          inputId="new-where"
          value={form.directory}
          recent={directories}
          client={client}
          userHome={userHome}
          faultId={refusal === null ? null : "new-where-not"}
          onChange={(directory) => onChange({ directory })}
        />
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
