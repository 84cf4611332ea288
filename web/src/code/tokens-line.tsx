import type { CodeToken } from "./tokens.ts";
import style from "./code.module.css";

/** The pieces of one line. */
export const Tokens = ({ line }: { line: readonly CodeToken[] }) =>
  line.map(({ kind, text }, at) =>
    kind === "plain" ? (
      text
    ) : (
      <span key={at} className={style[kind]}>
        {text}
      </span>
    ),
  );
