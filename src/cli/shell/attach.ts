/** Looks at a shell with the person's own terminal until it ends, or they leave with the detach key. */
import type { Client } from "../../client/client.ts";
import { openShellConnection } from "../../client/live/shell-connection.ts";
import type { Shell, ShellEnd } from "../../contract/session/shell.ts";
import type { RawTerminal } from "../terminal/raw-terminal.ts";
import type { World } from "../terminal/world.ts";

/** Ctrl-], as telnet has it. */
const DETACH = 0x1d;
/** An empty terminal, whatever was on it. */
const RESET = "\x1bc";
const BELL = "\x07";

export type Left = { kind: "detached" } | { kind: "ended"; end: ShellEnd };

export const attach = async (
  world: Pick<World, "onSignal">,
  client: Pick<Client, "live">,
  { id: shell_id, session_id }: Pick<Shell, "id" | "session_id">,
  terminal: RawTerminal,
): Promise<Left> => {
  const left = Promise.withResolvers<Left>();
  const live = client.live();
  /** A program with a screen of its own keeps it as it is: there it only rings. */
  const notice = (text: string): void =>
    terminal.write(
      shell.isFullScreen ? BELL : `\r\n\x1b[0;2m[${text}]\x1b[0m\r\n`,
    );
  const shell = openShellConnection(
    live,
    { session_id, shell_id },
    {
      snapshot: ({ bytes }) => {
        terminal.write(RESET);
        terminal.write(bytes);
        resize();
      },
      output: (bytes) => terminal.write(bytes),
      ended: (end) => left.resolve({ kind: "ended", end }),
      failed: (error) => left.reject(error),
      attached: (isAttached) => {
        // When it is attached again, a snapshot takes the place of this.
        if (!isAttached && live.state.kind !== "closed")
          notice("the connection was lost; trying again, Ctrl-] leaves");
      },
    },
    { afterBreak: "snapshot" },
  );
  const resize = (): void =>
    void shell.resize(terminal.size()).catch(() => undefined);
  terminal.onResize(resize);
  terminal.onKeys((bytes) => {
    const at = bytes.indexOf(DETACH);
    const typed = at === -1 ? bytes : bytes.subarray(0, at);
    if (typed.length > 0)
      shell.type(typed).catch(() => notice("that was not typed"));
    if (at !== -1) left.resolve({ kind: "detached" });
  });
  const stop = world.onSignal(() => left.resolve({ kind: "detached" }));
  try {
    return await left.promise;
  } finally {
    stop();
    shell.detach();
    live.close();
    terminal.restore();
  }
};
