/** Opening a link in the browser of the person at this machine. */
import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

type Env = Readonly<Record<string, string | undefined>>;

/** The program that opens links, or null where nobody would see a browser. */
export const browserIn = (
  env: Env,
  platform: NodeJS.Platform,
): "open" | "xdg-open" | null => {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  const elsewhere = ["CI", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"];
  if ([...elsewhere, "REPRISE_EXECUTION", "REPRISE_EXEC"].some(isSet))
    return null;
  if (platform === "darwin") return "open";
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? "xdg-open" : null;
};

/** It says soon when it fails; it may also live as long as the browser does. */
const SOON_MS = 2000;

/** Whether it was started, as far as can be told soon. It outlives us. */
export const openLink = async (
  program: string,
  link: string,
  env: Env,
): Promise<boolean> => {
  const child = spawn(program, [link], {
    env: { ...env },
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  return Promise.race([ended, pause(SOON_MS, true)]);
};
