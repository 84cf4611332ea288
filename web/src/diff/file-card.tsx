import { type Ref, useState } from "react";
import { Icon } from "../kit/icon.tsx";
import type { DiffFile } from "./parse.ts";
import { PlusMinus } from "./plus-minus.tsx";
import { DiffRows } from "./rows.tsx";
import style from "./file-card.module.css";
import { legibleName, MAX_PATH } from "../words/legible.ts";

/** One changed file. `of` says whose change it is, where several who changed it are in sight. */
export const FileCard = ({
  file,
  isOpenFirst,
  of,
  ref,
}: {
  file: DiffFile;
  isOpenFirst: boolean;
  of?: string;
  ref?: Ref<HTMLElement>;
}) => {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <section
      ref={ref}
      className={style.card}
      aria-label={of === undefined ? file.path : `${file.path}, ${of}`}
    >
      <h3 className={style.head}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={style.arrow} data-open={isOpen || undefined}>
            <Icon name="right" size={14} />
          </span>
          <code>
            {legibleName(
              file.from === null ? file.path : `${file.from} → ${file.path}`,
              MAX_PATH,
            )}
          </code>
          <PlusMinus added={file.added} removed={file.removed} />
        </button>
      </h3>
      {isOpen &&
        (file.rows.length === 0 ? (
          <p className={style.none}>Its content is not shown as text.</p>
        ) : (
          <DiffRows file={file} />
        ))}
    </section>
  );
};
