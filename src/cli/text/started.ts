import type { Session } from "../../contract/session/session.ts";
import { oneLine } from "../terminal/sanitize.ts";
import type { World } from "../terminal/world.ts";
import { comeBackCommand } from "./next-command.ts";
import { fields } from "../terminal/table.ts";

/** A session that is there now: what and where it is. */
export const heading = (session: Session, how: string): string =>
  `${session.id} ${how}: ${session.agent} in ${oneLine(session.cwd)}\n`;

/** The same, and what to do with it. */
export const started = (
  session: Session,
  how: string,
  { out, program }: Pick<World, "out" | "program">,
): string =>
  heading(session, how) +
  fields(
    [
      ["watch", comeBackCommand(program, session.id)],
      ["prompt", `${program} session prompt ${session.id} "…" --follow`],
      ["show", `${program} session show ${session.id}`],
    ],
    out.palette.dim,
  );
