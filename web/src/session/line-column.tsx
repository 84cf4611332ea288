import { useMemo, useState } from "react";
import { latePart } from "../late/late.tsx";
import { Line, type LinePreview } from "../line/line.tsx";
import type { Mark, TurnMark } from "../line/mark.ts";
import { usePhone } from "./use-phone.ts";
import type { TurnsInView } from "./conversation-pane.tsx";
import style from "./line-column.module.css";

// Loaded on a phone.
const Strip = latePart({
  name: "The line",
  load: async () => (await import("../line/strip.tsx")).Strip,
});
// Loaded when the first card is opened.
const KnotCard = latePart({
  name: "The card of this turn",
  load: async () => (await import("../line/knot-card.tsx")).KnotCard,
  look: "card",
});

/** The line beside the conversation. On a phone it is a strip above it, which opens as a sheet. */
export const LineColumn = ({
  sessionId,
  marks,
  inView,
  isFolded,
  onFold,
  onTurn,
  onFork,
  preview,
}: {
  sessionId: string;
  marks: readonly Mark[];
  inView: TurnsInView | null;
  isFolded: boolean;
  onFold: (isFolded: boolean) => void;
  onTurn: (turn: number) => void;
  onFork: (turn: number) => void;
  /** The line is not the session's yet. */
  preview?: LinePreview;
}) => {
  const isPhone = usePhone();
  const [isSheet, setSheet] = useState(false);
  const turns = marks.filter((mark) => mark.kind === "turn");
  const running =
    turns.findLast(({ outcome }) => outcome === "running" || outcome === "asks")
      ?.turn ?? null;
  const seen = useMemo(
    () =>
      new Set(
        inView === null
          ? []
          : marks.flatMap((mark) =>
              mark.kind === "turn" &&
              mark.turn >= inView.from &&
              mark.turn <= inView.to
                ? [mark.turn]
                : [],
            ),
      ),
    [marks, inView],
  );
  return (
    <>
      {isPhone && (
        <div className={style.strip}>
          <Strip marks={marks} onOpen={() => setSheet(!isSheet)} />
        </div>
      )}
      <div className={style.column} data-sheet={isSheet || undefined}>
        <Line
          marks={marks}
          preview={preview}
          inView={seen}
          isFolded={isFolded && !isSheet}
          onFold={(isFolded) => {
            if (isSheet) setSheet(false);
            else onFold(isFolded);
          }}
          onTurn={(turn) => {
            setSheet(false);
            onTurn(turn);
          }}
          card={cardOf({ session: sessionId, running, onFork })}
        />
      </div>
    </>
  );
};

const cardOf =
  (of: {
    session: string;
    running: number | null;
    onFork: (turn: number) => void;
  }) =>
  (mark: TurnMark) => <KnotCard {...of} mark={mark} />;
