import { classes } from "../kit/classes.ts";
import { useReadable } from "../kit/use-readable.ts";
import type { Connection } from "../store/connection.ts";
import type { Readable } from "../store/readable.ts";
import style from "./connection-foot.module.css";

const words: Record<Connection["kind"], string> = {
  opening: "Connecting",
  connected: "Connected",
  away: "Server away",
  back: "Connected",
  refused: "Signed out",
};

/** How the page stands with its server, and which release that is. */
export const ConnectionFoot = ({
  connection,
  version,
}: {
  connection: Readable<Connection>;
  version: string;
}) => {
  const { kind } = useReadable(connection);
  return (
    <div className={style.foot}>
      <span className={classes(style.dot, style[kind])} aria-hidden="true" />
      <span className={style.words}>{words[kind]}</span>
      <span title="Version of the server">{version}</span>
    </div>
  );
};
