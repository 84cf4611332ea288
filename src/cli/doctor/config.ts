import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Config, configIssues } from "../../contract/config.ts";
import { oneLine } from "../sanitize.ts";
import { type Finding, fail, ok } from "./check.ts";

/** `config.json` as the server will read it: with a mistake in it, the server does not start. */
export const checkConfig = async (home: string): Promise<Finding> => {
  const path = join(home, "config.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    return isMissing(error)
      ? ok("config", "no config.json: the defaults hold")
      : fail("config", `${path} cannot be read: ${wordsOf(error)}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return fail("config", `${path} is not JSON: ${wordsOf(error)}`);
  }
  const { error } = Config.safeParse(document);
  return error === undefined
    ? ok("config", path)
    : fail("config", `${path}: ${oneLine(configIssues(error).join("; "))}`);
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ENOENT" || error.code === "ENOTDIR");

const wordsOf = (error: unknown): string =>
  oneLine(error instanceof Error ? error.message : String(error));
