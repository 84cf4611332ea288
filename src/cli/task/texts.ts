/** Texts of a task as they are given on the command line: typed, in a file, or on standard input. */
import { readFile, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { MAX_TASK_TEXT, NewContext } from "../../contract/api/task-request.ts";
import { UsageError } from "../parsing/usage-error.ts";
import type { World } from "../terminal/world.ts";

type Surroundings = Pick<World, "cwd" | "stdin">;

export const contextOption = {
  kind: "list",
  value: "TEXT|FILE|-",
  help: "what is asked for besides the description: a text, a file (its name goes along), or - for standard input; may be repeated. One word that looks like a path (docs/api.md, ./notes) must be a file that is there",
} as const;

/** `@FILE` is a file, `-` is standard input, anything else the text itself. */
export const descriptionOf = async (
  world: Surroundings,
  given: string,
): Promise<string> => {
  if (given === "-") return standardInput(world);
  return given.startsWith("@")
    ? fileText(resolve(world.cwd, given.slice(1)))
    : given;
};

export const contextsOf = async (
  world: Surroundings,
  given: readonly string[],
): Promise<NewContext[]> => {
  const contexts: NewContext[] = [];
  for (const each of given) contexts.push(await contextOf(world, each));
  return contexts;
};

/** Standard input can be read once. */
export const refuseInputTwice = (given: readonly string[]): void => {
  if (given.filter((each) => each === "-").length > 1)
    throw new UsageError("Standard input (-) can be given once only.");
};

const contextOf = async (
  world: Surroundings,
  given: string,
): Promise<NewContext> => {
  if (given === "-") return checked({ text: await standardInput(world) });
  const path = resolve(world.cwd, given);
  // Too long for a path, or with characters that no path has, it is no file.
  const found = await stat(path).catch(() => null);
  if (found?.isFile() === true)
    return checked({ name: basename(path), text: await fileText(path) });
  if (found === null && !looksLikePath(given)) return checked({ text: given });
  throw new UsageError(
    `--context ${JSON.stringify(given)} looks like a path, and there is no file ${path}. If it is the text itself, give it on standard input: --context -`,
  );
};

/** One word with a slash or a file's ending. An address of the web is a text. */
const looksLikePath = (given: string): boolean =>
  !/\s/.test(given) &&
  !given.includes("://") &&
  (/[/\\]/.test(given) || /[^.]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(given));

const checked = (context: NewContext): NewContext => {
  const { success, error } = NewContext.safeParse(context);
  if (success) return context;
  const what = context.name === undefined ? "A context" : context.name;
  throw new UsageError(
    `${what}: ${error.issues.map(({ message }) => message).join(" and ")}.`,
  );
};

const standardInput = async ({
  stdin,
}: Pick<World, "stdin">): Promise<string> =>
  decode(await stdin(), "Standard input");

const fileText = async (path: string): Promise<string> => {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true)
    throw new UsageError(`${path} is no file that could be read.`);
  if (found.size > 4 * MAX_TASK_TEXT)
    throw new UsageError(
      `${path} has ${found.size} bytes, a text may have ${MAX_TASK_TEXT} characters. Name its path in the text instead.`,
    );
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${String(error)}.`);
  });
  return decode(bytes, path);
};

const decode = (bytes: Uint8Array, source: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(
      `${source} is not text in UTF-8. Convert it first, as with \`iconv -f latin1 -t utf-8\`.`,
    );
  }
};
