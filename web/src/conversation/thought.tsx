import type { Message } from "../../../src/contract/session/message.ts";
import { Icon } from "../kit/icon.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Fold } from "./fold.tsx";
import { firstLine } from "./first-line.ts";
import style from "./thought.module.css";

/** What the agent thought: one line, the whole when it is opened. */
export const Thought = ({
  message,
  isLive,
}: {
  message: Message;
  isLive: boolean;
}) => (
  <Fold
    id={message.id}
    line={
      <>
        <Icon name="thought" size={14} />
        <span className={style.line}>
          {isLive ? "Thinking: " : ""}
          {firstLine(message.text, { isLive })}
        </span>
      </>
    }
  >
    {() => (
      <div className={style.whole}>
        <Markdown text={message.text} />
      </div>
    )}
  </Fold>
);
