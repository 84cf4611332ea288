import { join } from "node:path";
import { Config, configIssues } from "../contract/api/config.ts";
import { readOurs } from "../kit/files/own-file.ts";
import { cannotStart } from "../server/door/cannot-start.ts";
import { isUnusable } from "../kit/files/unusable-file.ts";

/** `config.json` of a home; without one everything is as it comes. It names commands to run, so it must be ours. */
export const readConfig = async (home: string): Promise<Config> => {
  const path = join(home, "config.json");
  const text = await readOurs(path).catch((error: unknown) => {
    if (!isUnusable(error, "not_plain")) throw error;
    throw cannotStart(`${error.message}, so it is not read.`, error);
  });
  if (text === null) return Config.parse({});
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw cannotStart(`${path} is not valid JSON: ${why}.`, error);
  }
  const parsed = Config.safeParse(document);
  if (parsed.success) return parsed.data;
  const issues = configIssues(parsed.error).map((issue) => `\n  ${issue}`);
  throw cannotStart(`${path} does not fit:${issues.join("")}`);
};
