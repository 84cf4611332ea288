import { useState } from "react";
import type { PageSettings } from "../../../src/contract/api/first-view.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { Icon } from "../kit/icon.tsx";
import type { Form } from "./form.ts";
import { Picked } from "./picked.tsx";
import { permissionWords, restSentence } from "./sentence.ts";
import { offeredBefore } from "./suggestions.ts";
import { Typed } from "./typed.tsx";
import style from "./fields.module.css";

/** Everything else: a sentence that says what will be, and opens to the fields. */
export const Rest = ({
  form,
  agent,
  settings,
  sessions,
  refusal,
  onChange,
}: {
  form: Form;
  agent: string | null;
  settings: PageSettings;
  sessions: readonly Session[];
  refusal: string | null;
  onChange: (change: Partial<Form>) => void;
}) => {
  const [wasOpened, setOpen] = useState(false);
  const isOpen = wasOpened || refusal !== null;
  return (
    <div className={style.rest}>
      <button
        type="button"
        className={style.sentence}
        aria-expanded={isOpen}
        aria-controls="new-rest"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? "down" : "right"} size={14} />
        <span>{restSentence(form, settings)}</span>
      </button>
      {refusal !== null && (
        <p className={style.refusal} role="alert">
          {refusal}
        </p>
      )}
      <div id="new-rest" className={style.fields} hidden={!isOpen}>
        <Typed
          name="Name"
          value={form.name}
          placeholder="After what is said in it"
          onChange={(name) => onChange({ name })}
        />
        <Typed
          name="Model"
          value={form.model}
          placeholder="The agent’s own choice"
          offered={offeredBefore("model", agent, sessions)}
          onChange={(model) => onChange({ model })}
        />
        <Typed
          name="Mode"
          value={form.mode}
          placeholder="The agent’s own choice"
          offered={offeredBefore("mode", agent, sessions)}
          onChange={(mode) => onChange({ mode })}
        />
        <Picked
          name="Permissions"
          value={form.permissions}
          options={[
            [null, permissionWords.none],
            ["ask", permissionWords.ask],
            ["allow-read", permissionWords["allow-read"]],
            ["allow-all", permissionWords["allow-all"]],
          ]}
          onChange={(permissions) => onChange({ permissions })}
        />
        <Picked
          name="When a turn is cut off"
          value={form.onInterrupt}
          options={[
            ["wait", "Wait for me"],
            ["continue", "Go on by itself"],
          ]}
          onChange={(onInterrupt) => onChange({ onInterrupt })}
        />
        <Picked
          name="When a quota is used up"
          value={form.onQuota}
          options={[
            [null, `As the server is set: ${settings.on_quota}`],
            ["wait", "Wait for me"],
            ["continue", "Go on when it is filled again"],
          ]}
          onChange={(onQuota) => onChange({ onQuota })}
        />
        <Picked
          name="Capture every turn"
          value={form.checkpoints}
          options={[
            [
              null,
              `As the server is set: ${settings.checkpoints ? "yes" : "no"}`,
            ],
            [true, "Yes"],
            [false, "No: nothing can be rewound or forked"],
          ]}
          onChange={(checkpoints) => onChange({ checkpoints })}
        />
        <p className={style.note}>
          It runs on the machine of the server. A budget, instructions and
          limits of tools can be given with <code>reprise session start</code>.
        </p>
      </div>
    </div>
  );
};
