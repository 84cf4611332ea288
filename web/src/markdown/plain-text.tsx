import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { bytes } from "../words/counts.ts";
import style from "./markdown.module.css";

/** So much is laid out at once: a browser needs seconds for a line of a megabyte. */
const STEP = 32 * 1024;

/** A text as it was written, piece by piece where it is long. */
export const PlainText = ({ text }: { text: string }) => {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <pre className={style.plain}>{text.slice(0, shown)}</pre>
      {text.length > shown && (
        <Button
          size="small"
          kind="plain"
          onClick={() => setShown((shown) => shown * 2)}
        >
          Show more of the other {bytes(text.length - shown)}
        </Button>
      )}
    </>
  );
};
