import type { RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import { useCommands } from "../overlay/use-commands.ts";

/** The row of a key; rows carry it so that the focus can go there. */
export const ROW = "data-row";

/** `J` and `K` move the focus from row to row. `Enter` opens, as on any link. */
export const useRowKeys = (
  items: readonly { kind: string; key: string }[],
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
): void => {
  const rowAt = (key: string): HTMLElement | null =>
    scroller.current?.querySelector(`[${ROW}="${CSS.escape(key)}"]`) ?? null;
  const move = (step: 1 | -1): void => {
    const from =
      document.activeElement?.closest(`[${ROW}]`)?.getAttribute(ROW) ?? null;
    const key = neighbour(items, from, step);
    if (key === null) return;
    const index = items.findIndex((item) => item.key === key);
    list.current?.scrollToIndex(index, { align: "nearest" });
    // A row that was out of sight is rendered first.
    requestAnimationFrame(() => focusRow(rowAt(key)));
  };
  useCommands({ next_row: () => move(1), previous_row: () => move(-1) });
};

const focusRow = (row: HTMLElement | null): void => {
  const target = row?.matches("a") === true ? row : row?.querySelector("a");
  if (target instanceof HTMLElement) target.focus();
};

/** The key of the row that `J` or `K` moves to. */
export const neighbour = (
  items: readonly { kind: string; key: string }[],
  from: string | null,
  step: 1 | -1,
): string | null => {
  const keys = items
    .filter((item) => item.kind !== "head")
    .map(({ key }) => key);
  const at = from === null ? -1 : keys.indexOf(from);
  if (at === -1) return (step === 1 ? keys[0] : keys.at(-1)) ?? null;
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))] ?? null;
};
