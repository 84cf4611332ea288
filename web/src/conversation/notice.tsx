import type { Message } from "../../../src/contract/session/message.ts";
import { Icon } from "../kit/icon.tsx";
import { useNow } from "../kit/now.tsx";
import { withTimes } from "../words/with-times.ts";
import style from "./notice.module.css";

/** What Reprise has to say between the messages. */
export const Notice = ({ message }: { message: Message }) => {
  const now = useNow();
  return (
    <p className={style.notice}>
      <Icon name="flag" size={14} />
      <span>{withTimes(message.text.slice(0, 4_000), now)}</span>
    </p>
  );
};
