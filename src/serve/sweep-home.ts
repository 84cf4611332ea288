import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sweepInstallations } from "../executors/standalone/install.ts";
import { removeEmpty, sweepDrafts } from "../kit/files/durable-file.ts";
import { LABEL_KEY } from "./label-key.ts";

/**
 * Removes what earlier starts left that were killed. The caller holds the home, so nobody else is starting now. agentctl
 * removes its own leftovers under its own lock.
 */
export const sweepHome = async (home: string): Promise<void> => {
  for (const path of [
    "token",
    "server.json",
    "clock.json",
    LABEL_KEY,
    "agentctl/token",
  ])
    await sweepDrafts(join(home, path));
  await sweepInstallations(join(home, "agentctl"));
  for (const name of await readdir(home))
    if (DOCTORS.test(name)) await removeEmpty(join(home, name));
};

/** The doctor makes such a directory to see whether the home can be written. */
const DOCTORS = /^\.doctor-[A-Za-z0-9]{6}$/;
