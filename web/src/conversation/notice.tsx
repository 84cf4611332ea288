import type { Message } from "../../../src/contract/session/message.ts";
import { Icon } from "../kit/icon.tsx";
import style from "./notice.module.css";

/** What Reprise has to say between the messages. */
export const Notice = ({ message }: { message: Message }) => (
  <p className={style.notice}>
    <Icon name="flag" size={14} />
    <span>{message.text.slice(0, 4_000)}</span>
  </p>
);
