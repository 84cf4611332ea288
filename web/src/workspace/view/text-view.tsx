import { useEffect, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useColours } from "../../code/code-block.tsx";
import { languageOfPath } from "../../code/tokens.ts";
import { Tokens } from "../../code/tokens-line.tsx";
import { classes } from "../../kit/classes.ts";
import { VisuallyHidden } from "../../kit/visually-hidden.tsx";
import { number } from "../../words/counts.ts";
import { linesOf } from "./content.ts";
import { legibleName, MAX_PATH } from "../../words/legible.ts";
import style from "./text-view.module.css";

const LINE_PX = 21;
/** Of a longer line only the beginning is drawn. */
const MAX_LINE = 4_000;

/** A text with its line numbers. Only lines in sight are in the document. */
export const TextView = ({
  path,
  text,
  line,
  changed,
}: {
  path: string;
  text: string;
  /** The line that is shown first. */
  line: number | null;
  /** Lines that are marked as changed. */
  changed: ReadonlySet<number>;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const lines = useMemo(() => linesOf(text), [text]);
  const colours = useColours(lines.join("\n"), languageOfPath(path), false);
  useEffect(() => {
    if (line !== null)
      list.current?.scrollToIndex(line - 1, { align: "center" });
  }, [path, line]);
  return (
    <div
      ref={scroller}
      className={style.text}
      role="region"
      aria-label={`Text of ${legibleName(path, MAX_PATH)}`}
      tabIndex={0}
    >
      <Virtualizer
        ref={list}
        scrollRef={scroller}
        data={lines}
        itemSize={LINE_PX}
        bufferSize={400}
      >
        {(words: string, at) => (
          <div
            key={at}
            data-line={at + 1}
            className={classes(
              style.line,
              changed.has(at + 1) && style.changed,
              line === at + 1 && style.target,
            )}
          >
            <span className={style.number} aria-hidden="true">
              {at + 1}
            </span>
            <code className={style.words}>
              {changed.has(at + 1) && (
                <VisuallyHidden>Changed: </VisuallyHidden>
              )}
              {words.length > MAX_LINE ? (
                <>
                  {words.slice(0, MAX_LINE)}
                  <span className={style.cut}>
                    {" "}
                    {number(words.length - MAX_LINE)} more characters
                  </span>
                </>
              ) : colours?.[at] === undefined ? (
                words
              ) : (
                <Tokens line={colours[at]} />
              )}
            </code>
          </div>
        )}
      </Virtualizer>
    </div>
  );
};
