import type { Fit } from "../../../src/kit/data/fuzzy.ts";
import { Glyph } from "../kit/glyph.tsx";
import { Icon } from "../kit/icon.tsx";
import { SmallLine } from "../line/small-line.tsx";
import { isMac } from "./is-mac.ts";
import { KeyCaps } from "./key-caps.tsx";
import type { PaletteItem } from "./palette-items.ts";
import style from "./palette.module.css";

export const PaletteRow = ({
  item: { label, look, detail, keys, isCode, session },
  ranges,
}: {
  item: PaletteItem;
  ranges: Fit["ranges"];
}) => (
  <>
    <span className={style.look}>
      {"icon" in look ? (
        <Icon name={look.icon} />
      ) : (
        <Glyph state={look.glyph} />
      )}
    </span>
    <span className={style.label} data-code={isCode || undefined}>
      <Marked text={label} ranges={ranges} />
    </span>
    {detail !== null && <span className={style.detail}>{detail}</span>}
    {session !== null && (
      <span className={style.line}>
        <SmallLine marks={session.line_tail} />
      </span>
    )}
    {keys !== null && (
      <span className={style.keys}>
        <KeyCaps keys={keys} isMac={isMac(navigator)} />
      </span>
    )}
  </>
);

/** The text with what fits marked in it. */
const Marked = ({ text, ranges }: { text: string; ranges: Fit["ranges"] }) => {
  const ends = [0, ...ranges.map(({ end }) => end)];
  return (
    <>
      {ranges.map(({ start, end }, i) => (
        <span key={start}>
          {text.slice(ends[i], start)}
          <mark>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
};
