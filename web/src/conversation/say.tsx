import type { Message } from "../../../src/contract/session/message.ts";
import { Markdown } from "../markdown/markdown.tsx";
import style from "./say.module.css";

/** What the agent said. */
export const Say = ({
  message,
  isLive,
}: {
  message: Message;
  isLive: boolean;
}) => (
  <div className={style.say} data-live={isLive || undefined}>
    <Markdown text={message.text} />
  </div>
);
