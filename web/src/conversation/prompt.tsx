import type { Message } from "../../../src/contract/session/message.ts";
import { clock } from "../words/age.ts";
import { legible } from "../words/legible.ts";
import { LongText } from "./long-text.tsx";
import style from "./prompt.module.css";

/** What a person asked for. It is shown as it was written. */
export const Prompt = ({
  message,
  turn,
  behind,
}: {
  message: Message;
  turn: number;
  /** A rewind left this turn behind. */
  behind: boolean;
}) => (
  <div className={style.prompt} data-behind={behind || undefined}>
    <div className={style.text}>
      <LongText text={legible(message.text)} lines={12} />
    </div>
    <h2 className={style.turn} title={clock(message.at, { seconds: true })}>
      Turn {turn}
      {behind && ", left behind"}
    </h2>
  </div>
);
