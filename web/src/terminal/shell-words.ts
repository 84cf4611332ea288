/** What the page says about shells. */
import type { SessionProcess } from "../../../src/contract/session/process.ts";
import type { Shell, ShellEnd } from "../../../src/contract/session/shell.ts";

const MAX_NAME = 40;

/** What its programs call its window; until one does, the name of the shell. */
export const shellName = ({
  title,
  command,
}: Pick<Shell, "title" | "command">): string => {
  const name = oneLine(title ?? "") || oneLine(fileName(command)) || "shell";
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
};

export const endWords = ({ reason, exit_code }: ShellEnd): string => {
  switch (reason) {
    case "exited":
      return exit_code === null
        ? "The shell ended, and its exit code is not known."
        : `The shell ended with exit code ${exit_code}.`;
    case "closed":
      return "The shell was closed.";
    case "session_deleted":
      return "The shell ended when its session went into the trash.";
    case "lost":
      return "The shell is lost: the machine was started again, or somebody killed what held it.";
  }
};

/** `sleep and 2 other programs run in it.` */
export const runningWords = (running: readonly SessionProcess[]): string => {
  const [first, ...others] = running;
  if (first === undefined) return "";
  const name = fileName(first.command.split(" ")[0] ?? "") || "A program";
  switch (others.length) {
    case 0:
      return `${oneLine(name)} still runs in it.`;
    case 1:
      return `${oneLine(name)} and another program still run in it.`;
    default:
      return `${oneLine(name)} and ${others.length} other programs still run in it.`;
  }
};

const fileName = (path: string): string => path.split("/").at(-1) ?? "";

/** Titles are text of strangers: what is not seen, or turns text around, is left out. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
