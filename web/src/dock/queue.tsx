import type { Prompt } from "../../../src/contract/session/prompt.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { legible } from "../words/legible.ts";
import style from "./queue.module.css";

/** Prompts that wait, as the server has them. To edit one is to cancel it and to write it again. */
export const Queue = ({
  prompts,
  onEdit,
  onCancel,
}: {
  prompts: readonly Prompt[];
  onEdit: (prompt: Prompt) => void;
  onCancel: (prompt: Prompt) => void;
}) =>
  prompts.length > 0 && (
    <ol className={style.queue} aria-label="Prompts that wait">
      {prompts.map((prompt, at) => (
        <li key={prompt.id}>
          <Icon name="clock" size={14} />
          <span className={style.place}>{at === 0 ? "Next" : `${at + 1}`}</span>
          <span className={style.text}>
            {legible(prompt.text.slice(0, 400))}
          </span>
          <IconButton
            icon="edit"
            label="Edit this prompt"
            onClick={() => onEdit(prompt)}
          />
          <IconButton
            icon="x"
            label="Cancel this prompt"
            onClick={() => onCancel(prompt)}
          />
        </li>
      ))}
    </ol>
  );
