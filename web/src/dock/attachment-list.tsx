import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import type { Attachment } from "./attachments.ts";
import style from "./attachment-list.module.css";
import { legibleName } from "../words/legible.ts";

/** What is sent with a prompt that is being written. */
export const AttachmentList = ({
  attachments,
  onRemove,
}: {
  attachments: readonly Attachment[];
  onRemove: (id: string) => void;
}) =>
  attachments.length === 0 ? null : (
    <ul className={style.attachments} aria-label="Attachments">
      {attachments.map(({ id, name, size }) => (
        <li key={id}>
          <Icon name="clip" size={14} />
          <span className={style.name}>{legibleName(name)}</span>
          <span className={style.size}>{size}</span>
          <IconButton
            icon="x"
            label={`Remove ${legibleName(name)}`}
            onClick={() => onRemove(id)}
          />
        </li>
      ))}
    </ul>
  );
