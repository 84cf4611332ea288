/** A repository with a past: commits that change a few files each, and a working tree. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { Chance } from "./chance.ts";
import { textOf } from "./text.ts";
import { vocabularyOf } from "./vocabulary.ts";

export interface History {
  files: number;
  commits: number;
  /** Whether the commits lie about as single objects, as they do before git tidies up. */
  loose: boolean;
}

export const writeRepository = (root: string, history: History): void => {
  mkdirSync(root, { recursive: true });
  git(root, ["init", "--quiet", "--initial-branch=main"]);
  const unpack = history.loose ? 1_000_000 : 1;
  git(
    root,
    ["-c", `fastimport.unpackLimit=${unpack}`, "fast-import", "--quiet"],
    stream(history),
  );
  git(root, ["reset", "--hard", "--quiet"]);
};

/** What `git fast-import` reads. The first commit has all files, each later one changes a few. */
const stream = ({ files, commits }: History): Buffer => {
  const chance = new Chance("history");
  const words = vocabularyOf(chance, 1500);
  const parts: Buffer[] = [];
  const line = (text: string): void => {
    parts.push(Buffer.from(`${text}\n`));
  };
  const data = (bytes: Buffer): void => {
    line(`data ${bytes.length}`);
    parts.push(bytes);
    line("");
  };
  const change = (file: number): void => {
    // Every hundredth file is one that nothing compresses: that is what makes histories large.
    const picture = file % 100 === 99;
    line(
      `M 100644 inline src/part-${file % 40}/file-${file}.${picture ? "jpg" : "ts"}`,
    );
    data(
      picture
        ? chance.bytes(chance.size(150_000, 600_000))
        : Buffer.from(textOf("js", chance.size(3000, 60_000), chance, words)),
    );
  };
  for (let commit = 0; commit < commits; commit += 1) {
    line("commit refs/heads/main");
    line(
      `committer Somebody <somebody@example.org> ${1_700_000_000 + commit * 3600} +0000`,
    );
    data(Buffer.from(`Change ${commit}`));
    if (commit === 0) for (let file = 0; file < files; file += 1) change(file);
    else for (let n = 0; n < 6; n += 1) change(chance.below(files));
  }
  return Buffer.concat(parts);
};

const git = (root: string, args: string[], input?: Buffer): void => {
  // Whatever the person at this machine has configured must not matter.
  const env = {
    PATH: process.env["PATH"],
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  execFileSync("git", args, {
    cwd: root,
    env,
    ...(input && { input }),
    stdio: [input ? "pipe" : "ignore", "ignore", "inherit"],
  });
};
