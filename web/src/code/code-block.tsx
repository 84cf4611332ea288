import { useContext, useEffect, useState } from "react";
import { copyText } from "../kit/copy-text.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { ColoursContext } from "./highlighting.tsx";
import { type CodeAnswer, grammarOf } from "./tokens.ts";
import { Tokens } from "./tokens-line.tsx";
import style from "./code.module.css";

/** Code. It is plain while it is being written, and coloured by a worker afterwards. */
export const CodeBlock = ({
  text,
  language,
  isOpen,
}: {
  text: string;
  language: string;
  isOpen: boolean;
}) => {
  const lines = useColours(text, language, isOpen);
  return (
    <div className={style.block}>
      <pre className={style.code} tabIndex={0}>
        <code>
          {lines === null
            ? text
            : lines.map((line, at) => (
                <span key={at}>
                  <Tokens line={line} />
                  {"\n"}
                </span>
              ))}
        </code>
      </pre>
      <span className={style.copy}>
        <IconButton
          icon="copy"
          label="Copy the code"
          onClick={() => void copyText(text)}
        />
      </span>
    </div>
  );
};

/** The lines of a text in pieces; null as long as it is plain. */
export const useColours = (
  text: string,
  language: string,
  isOpen: boolean,
): CodeAnswer => {
  const colours = useContext(ColoursContext);
  const [told, setTold] = useState<{ text: string; lines: CodeAnswer } | null>(
    null,
  );
  const known = colours?.known({ text, language }) ?? null;
  const isPlain =
    isOpen || known !== null || grammarOf({ text, language }) === null;
  useEffect(() => {
    if (isPlain || colours === null) return;
    let isCurrent = true;
    void colours.of({ text, language }).then((lines) => {
      if (isCurrent) setTold({ text, lines });
    });
    return () => {
      isCurrent = false;
    };
  }, [colours, text, language, isPlain]);
  if (isOpen) return null;
  return known ?? (told?.text === text ? told.lines : null);
};
