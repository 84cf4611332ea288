/**
 * A named place between a write and its acknowledgement. Tests kill a real process there: with
 * `REPRISE_CRASH_AT=<name>` (or `<name>:<n>` for the n-th passage) it dies by SIGKILL on the spot.
 */
const wanted = process.env["REPRISE_CRASH_AT"];
const [wantedName, wantedPassage = "1"] = wanted?.split(":") ?? [];
let passages = 0;

export const crashPoint = (name: string): void => {
  if (name !== wantedName) return;
  passages += 1;
  if (passages === Number(wantedPassage)) process.kill(process.pid, "SIGKILL");
};
