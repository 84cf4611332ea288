import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { treeAct, isStop, rowOf } from "./tree-keys.ts";
import { TreeRowView } from "./tree-row-view.tsx";
import type { TreeRow } from "./tree-rows.ts";
import style from "./tree.module.css";

const ROW_PX = 26;

/** The rows of the tree. It has one stop of the keyboard; keys move inside of it. */
export const TreeView = ({
  rows,
  path,
  onOpen,
  onClose,
  onChoose,
}: {
  rows: readonly TreeRow[];
  /** What is shown. */
  path: string;
  onOpen: (path: string) => void;
  onClose: (path: string) => void;
  onChoose: (row: TreeRow) => void;
}) => {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const at = rows.findIndex((row) => keyOf(row) === focused);
  const active = at === -1 ? rowOf(rows, path) : at;
  const activeRow = rows[active];

  const reveal = useEffectEvent((): boolean => {
    const row = rowOf(rows, path);
    if (row === -1) return false;
    list.current?.scrollToIndex(row, { align: "nearest" });
    return true;
  });
  const isListed = rowOf(rows, path) !== -1;
  useEffect(() => {
    if (isListed) reveal();
  }, [path, isListed]);

  const choose = (row: TreeRow): void => {
    setFocused(keyOf(row));
    onChoose(row);
  };
  return (
    <div
      ref={scroller}
      className={style.tree}
      role="tree"
      aria-label="Files"
      tabIndex={0}
      data-focused={hasFocus || undefined}
      {...(activeRow === undefined
        ? {}
        : { "aria-activedescendant": `${id}${keyOf(activeRow)}` })}
      onFocus={() => {
        setHasFocus(true);
        const first = rows.find(isStop);
        if (active === -1 && first !== undefined) setFocused(keyOf(first));
      }}
      onBlur={() => setHasFocus(false)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const act = treeAct(rows, active, event.key);
        if (act === null) return;
        event.preventDefault();
        const row = "row" in act ? rows[act.row] : undefined;
        switch (act.kind) {
          case "open":
            return onOpen(act.path);
          case "close":
            return onClose(act.path);
          case "choose":
            return row === undefined ? undefined : choose(row);
          case "focus":
            list.current?.scrollToIndex(act.row, { align: "nearest" });
            return row === undefined ? undefined : setFocused(keyOf(row));
        }
      }}
    >
      <Virtualizer
        ref={list}
        scrollRef={scroller}
        data={rows}
        itemSize={ROW_PX}
        {...(active === -1 ? {} : { keepMounted: [active] })}
      >
        {(row: TreeRow) => (
          <TreeRowView
            key={keyOf(row)}
            id={`${id}${keyOf(row)}`}
            row={row}
            isShown={row.kind === "entry" && row.path === path}
            isActive={row === activeRow}
            onChoose={() => choose(row)}
          />
        )}
      </Virtualizer>
    </div>
  );
};

const keyOf = (row: TreeRow): string => `${row.kind}:${row.path}`;
