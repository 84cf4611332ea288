import { type RefObject, useEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { neighbour } from "./sections.ts";

/** The row of a key; rows carry it so that the focus can go there. */
export const ROW = "data-row";

/** `J` and `K` move the focus from row to row. `Enter` opens, as on any link. Never while somebody types. */
export const useHomeKeys = (
  items: readonly { kind: string; key: string }[],
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
): void => {
  const known = useRef(items);
  useEffect(() => {
    known.current = items;
  }, [items]);
  useEffect(() => {
    const rowAt = (key: string): HTMLElement | null =>
      scroller.current?.querySelector(`[${ROW}="${CSS.escape(key)}"]`) ?? null;
    const move = (step: 1 | -1): void => {
      const from =
        document.activeElement?.closest(`[${ROW}]`)?.getAttribute(ROW) ?? null;
      const key = neighbour(known.current, from, step);
      if (key === null) return;
      const index = known.current.findIndex((item) => item.key === key);
      list.current?.scrollToIndex(index, { align: "nearest" });
      // A row that was out of sight is rendered first.
      requestAnimationFrame(() => focusRow(rowAt(key)));
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event))
        return;
      if (event.key === "j") move(1);
      else if (event.key === "k") move(-1);
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [scroller, list]);
};

const focusRow = (row: HTMLElement | null): void => {
  const target = row?.matches("a") === true ? row : row?.querySelector("a");
  if (target instanceof HTMLElement) target.focus();
};

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input, textarea, select, [role=menu] *, [role=dialog] *"));
