import { type Finding, fail, ok } from "./check.ts";

const OLDEST = 24;

export const checkNode = (version: string): Finding =>
  Number(version.split(".")[0]) >= OLDEST
    ? ok("node", version)
    : fail(
        "node",
        `${version} is too old: Reprise needs ${OLDEST} and brings its own`,
        "npm install",
      );
