import { useEffect, useState } from "react";
import { Icon } from "../kit/icon.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { Connection } from "../store/connection.ts";
import type { Readable } from "../store/readable.ts";
import { connectionText } from "../words/away.ts";
import style from "./away-bar.module.css";

/** On top of the screen while the server is away, and for a moment when it is back. */
export const AwayBar = ({
  connection,
}: {
  connection: Readable<Connection>;
}) => {
  const now = useSeconds(useReadable(connection).kind === "away");
  const said = connectionText(connection.get(), now);
  return (
    <div role="status">
      {said !== null && (
        <div className={style.bar}>
          <Icon name="away" size={14} />
          <p>
            <b>{said.title}</b> {said.text}
          </p>
        </div>
      )}
    </div>
  );
};

/** The time, every second while it matters. */
const useSeconds = (isRunning: boolean): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
};
