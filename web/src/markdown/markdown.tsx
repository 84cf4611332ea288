import { useRef, useState } from "react";
import { bytes } from "../words/counts.ts";
import { Button } from "../kit/button.tsx";
import { Block } from "./block.tsx";
import { blocksOf, MAX_FORMATTED, noBlocks } from "./blocks.ts";
import { PlainText } from "./plain-text.tsx";
import style from "./markdown.module.css";

/** A text of an agent. While it grows only its last block is read and drawn again. */
export const Markdown = ({ text }: { text: string }) => {
  const [isWanted, setWanted] = useState(false);
  return text.length > MAX_FORMATTED && !isWanted ? (
    <div className={style.markdown}>
      <PlainText text={text} />
      {text.length <= 8 * MAX_FORMATTED && (
        <Button size="small" kind="plain" onClick={() => setWanted(true)}>
          Format this text of {bytes(text.length)}
        </Button>
      )}
    </div>
  ) : (
    <Formatted text={text} />
  );
};

const Formatted = ({ text }: { text: string }) => {
  // What was read a moment ago. Reading again from nothing gives the same, only slower.
  const before = useRef(noBlocks);
  const read = blocksOf(text, before.current);
  before.current = read;
  return (
    <div className={style.markdown}>
      {read.blocks.map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </div>
  );
};
