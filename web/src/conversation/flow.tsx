import {
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Button } from "../kit/button.tsx";
import { Folds } from "./folds.ts";
import { type RowContext, RowView } from "./row-view.tsx";
import type { Row } from "./rows.ts";
import { isShiftedFrom, turnsInView } from "./window.ts";
import { useFollow } from "./use-follow.ts";
import style from "./flow.module.css";

/** Earlier messages are asked for when so little is left above. */
const NEAR_BEGIN = 600;

export interface FlowHandle {
  showTurn(turn: number): void;
  showLatest(): void;
}

/** The conversation as a list: only rows in sight are in the document. */
export const Flow = ({
  rows,
  context,
  hasEarlier,
  isLoadingEarlier,
  onEarlier,
  onTurnsInView,
  onLatestSeen,
  ref,
}: {
  rows: readonly Row[];
  context: RowContext;
  hasEarlier: boolean;
  isLoadingEarlier: boolean;
  onEarlier: () => void;
  onTurnsInView?: (turns: { from: number; to: number }) => void;
  /** Its end is in sight. */
  onLatestSeen?: () => void;
  ref?: Ref<FlowHandle>;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const follow = useFollow(scroller);
  const { hold } = follow;
  const [open] = useState(() => new Map<string, boolean>());
  const folds = useMemo(() => ({ open, onTurn: hold }), [open, hold]);
  const [first, setFirst] = useState(rows[0]);
  const isShifted = isShiftedFrom(rows, first);
  if (rows[0]?.key !== first?.key && !isShifted) setFirst(rows[0]);
  /** A turn that was gone to, until somebody moves the list: what is read before the first row comes in between. */
  const asked = useRef<{ turn: number; first: string | undefined }>(null);

  // In the same frame as the rows: the reader never sees them in the wrong place.
  useLayoutEffect(() => {
    follow.pin();
    if (isShifted) setFirst(rows[0]);
  }, [rows, follow, isShifted]);

  useLayoutEffect(() => {
    if (follow.isPinned) onLatestSeen?.();
  }, [rows, follow.isPinned, onLatestSeen]);

  const look = () => {
    const { current: seen } = list;
    if (seen === null) return;
    if (hasEarlier && !isLoadingEarlier && seen.scrollOffset < NEAR_BEGIN)
      onEarlier();
    const from = seen.findItemIndex(seen.scrollOffset);
    const to = seen.findItemIndex(seen.scrollOffset + seen.viewportSize);
    const turns = turnsInView(rows, { from, to });
    if (turns !== null) onTurnsInView?.(turns);
  };

  const showTurn = (turn: number) => {
    const index = rows.findIndex((row) => row.turn === turn);
    asked.current = null;
    if (index === -1 && !hasEarlier) return;
    follow.letGo();
    asked.current = { turn, first: rows[0]?.key };
    if (index === -1) return onEarlier();
    list.current?.scrollToIndex(index, { align: "start" });
  };

  const leave = () => {
    asked.current = null;
  };
  const goToEnd = () => {
    leave();
    follow.return();
  };

  // Once for each window that comes: where none comes, it is not asked for again.
  useLayoutEffect(() => {
    const { current } = asked;
    if (current !== null && current.first !== rows[0]?.key)
      showTurn(current.turn);
  });

  useImperativeHandle(ref, () => ({
    showTurn,
    showLatest: goToEnd,
  }));

  return (
    <div className={style.flow}>
      <div
        ref={scroller}
        className={style.scroller}
        tabIndex={0}
        role="region"
        aria-label="Messages"
        {...follow.handlers}
        onWheelCapture={leave}
        onTouchMoveCapture={leave}
        onKeyDownCapture={leave}
        onPointerDownCapture={leave}
      >
        <Folds value={folds}>
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            data={rows}
            shift={isShifted}
            onScroll={() => {
              follow.scrolled();
              look();
            }}
            onResize={() => {
              follow.pin();
              look();
            }}
          >
            {(row: Row) => (
              <div key={row.key} className={style.row} data-row={row.kind}>
                <RowView row={row} context={context} />
              </div>
            )}
          </Virtualizer>
        </Folds>
        <div className={style.end} />
      </div>
      {hasEarlier && (
        <div
          className={style.earlier}
          data-loading={isLoadingEarlier || undefined}
        >
          <Button size="small" disabled={isLoadingEarlier} onClick={onEarlier}>
            {isLoadingEarlier ? "Loading earlier messages" : "Earlier messages"}
          </Button>
        </div>
      )}
      {!follow.isPinned && (
        <div className={style.latest}>
          <Button size="small" icon="latest" onClick={goToEnd}>
            Latest
          </Button>
        </div>
      )}
    </div>
  );
};
