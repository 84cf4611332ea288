import { Icon } from "../../kit/icon.tsx";
import { classes } from "../../kit/classes.ts";
import { VisuallyHidden } from "../../kit/visually-hidden.tsx";
import { signs } from "../since/marks.ts";
import { isStop } from "./tree-keys.ts";
import type { EntryRow, TreeRow } from "./tree-rows.ts";
import style from "./tree.module.css";
import { legible, legibleName, MAX_PATH } from "../../words/legible.ts";

/** One row. The tree has the focus; the row only shows where it is. */
export const TreeRowView = ({
  id,
  row,
  isShown,
  isActive,
  onChoose,
}: {
  id: string;
  row: TreeRow;
  isShown: boolean;
  isActive: boolean;
  onChoose: () => void;
}) => (
  // The tree hears the keys.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
  <div
    id={id}
    role="treeitem"
    aria-level={row.depth + 1}
    aria-selected={isShown}
    {...(row.kind === "entry"
      ? { "aria-setsize": row.siblings, "aria-posinset": row.position }
      : {})}
    {...(row.kind === "entry" && row.isDirectory
      ? { "aria-expanded": row.isOpen }
      : {})}
    className={classes(
      style.row,
      style[`depth${Math.min(row.depth, MAX_DEPTH)}`],
      isShown && style.shown,
      isActive && style.active,
      row.kind === "entry" && row.isHidden && style.dim,
      row.kind === "entry" && row.mark === "removed" && style.gone,
      row.kind !== "entry" && style.note,
      !isStop(row) && style.still,
    )}
    onClick={isStop(row) ? onChoose : undefined}
  >
    {row.kind === "entry" ? (
      <EntryWords row={row} />
    ) : (
      <span className={style.name}>
        {row.kind === "refused" ? `${row.text} Try again.` : row.text}
      </span>
    )}
  </div>
);

/** Deeper ones are not indented further: names would leave the column. */
const MAX_DEPTH = 12;

const EntryWords = ({ row }: { row: EntryRow }) => (
  <>
    <span className={style.caret}>
      {row.isDirectory && (
        <Icon name={row.isOpen ? "down" : "right"} size={14} />
      )}
    </span>
    <span className={style.icon}>
      <Icon
        name={row.isDirectory ? "folder" : row.isLink ? "link" : "file"}
        size={14}
      />
    </span>
    <span className={style.name} title={legible(row.name)}>
      {legibleName(row.name, MAX_PATH)}
    </span>
    {row.mark !== null ? (
      <span className={style[row.mark]} title={signs[row.mark].word}>
        <span aria-hidden="true">{signs[row.mark].sign}</span>
        <VisuallyHidden>, {signs[row.mark].word}</VisuallyHidden>
      </span>
    ) : (
      row.hasChanges && (
        <span className={style.dot} title="Something in it changed">
          <VisuallyHidden>, with changes</VisuallyHidden>
        </span>
      )
    )}
  </>
);
