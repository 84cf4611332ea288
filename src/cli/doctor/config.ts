import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Config, configIssues } from "../../contract/api/config.ts";
import { readOurs } from "../../kit/files/own-file.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { type Finding, fail, ok, warn } from "./check.ts";
import { isUnusable } from "../../kit/files/unusable-file.ts";

/** `config.json` as the server will read it: with a mistake in it, the server does not start. */
export const checkConfig = async (home: string): Promise<Finding> => {
  const path = join(home, "config.json");
  let text: string | null;
  try {
    text = await readOurs(path);
  } catch (error) {
    return isUnusable(error, "not_ours")
      ? fail("config", error.message)
      : fail("config", `${path} cannot be read: ${wordsOf(error)}`);
  }
  if (text === null) return ok("config", "no config.json: the defaults hold");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return fail("config", `${path} is not JSON: ${wordsOf(error)}`);
  }
  const { error } = Config.safeParse(document);
  if (error !== undefined)
    return fail(
      "config",
      `${path}: ${oneLine(configIssues(error).join("; "))}`,
    );
  return (await isUnread(home))
    ? warn(
        "config",
        `${path} was changed after the server started. Webhooks and notifications hold already; for everything else start the server again`,
      )
    : ok("config", path);
};

/** A server that runs says so in a file when it starts. */
const isUnread = async (home: string): Promise<boolean> => {
  const changedAt = async (name: string): Promise<number> =>
    (await stat(join(home, name)).catch(() => null))?.mtimeMs ?? Infinity;
  return (await changedAt("config.json")) > (await changedAt("server.json"));
};

const wordsOf = (error: unknown): string =>
  oneLine(error instanceof Error ? error.message : String(error));
