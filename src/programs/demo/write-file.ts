import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { textual } from "./textual.ts";
import type { Turn } from "./turn.ts";

/** A tool call that writes a file in the working directory and shows the difference; on request only if allowed. */
export const writeFileInside = async (
  turn: Turn,
  { path, text }: { path: string; text: string },
  when: "at once" | "when allowed",
): Promise<void> => {
  const toolCallId = `write-${crypto.randomUUID()}`;
  const target = resolve(turn.cwd, path);
  const call = {
    toolCallId,
    title: `Write ${path}`,
    kind: "edit" as const,
    locations: [{ path: target }],
    rawInput: { path, text },
  };
  const failed = async (words: string): Promise<void> => {
    await turn.showMore({
      toolCallId,
      status: "failed",
      content: textual(words),
    });
    await turn.say(`${words}\n`);
  };

  await turn.show({ ...call, status: "pending" });
  try {
    if (when === "when allowed") {
      const { kind } = await turn.ask({
        ...call,
        content: [await change(turn.cwd, target, text)],
      });
      if (kind.startsWith("reject"))
        return await failed(`${path} was not written: you chose ${kind}.`);
    }
    if (!(await isInside(turn.cwd, target)))
      return await failed(
        `${path} was not written: it is outside of the working directory.`,
      );
    const content = [await change(turn.cwd, target, text)];
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    await turn.showMore({ toolCallId, status: "completed", content });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (!turn.signal.aborted)
      return failed(`${path} was not written: ${words}`);
    await turn.showMore({
      toolCallId,
      status: "failed",
      content: textual(words),
    });
    throw error;
  }
  await turn.say(`I wrote ${path}.\n`);
};

/** What the write changes; of a file outside of the working directory nothing is told. */
const change = async (cwd: string, path: string, newText: string) => {
  const oldText = (await isInside(cwd, path))
    ? await readFile(path, "utf8").catch(() => null)
    : null;
  return { type: "diff" as const, path, oldText, newText };
};

/** Follows links as the write would, so that none leads out. */
const isInside = async (
  directory: string,
  target: string,
): Promise<boolean> => {
  const from = await realpath(directory);
  const path = relative(from, await realTarget(target));
  return path !== "" && path !== ".." && !path.startsWith("../");
};

/** Where a path leads; what does not exist yet is taken as written below the nearest parent that does. */
const realTarget = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path) return path;
    return join(await realTarget(parent), relative(parent, path));
  }
};
