/** argv in, exit code out. */
import { connect } from "../client/client.ts";
import { commands } from "./commands.ts";
import { lastingAddress } from "../local/lasting-address.ts";
import { adviceFor, type Named } from "./text/advice.ts";
import { explain } from "./text/explain.ts";
import { help, type Layout } from "./parsing/help.ts";
import type { AnyInput } from "./parsing/command.ts";
import { parse } from "./parsing/parse.ts";
import {
  noticingSilence,
  ServerSilent,
  type SilenceTimes,
} from "./server/silent-server.ts";
import type { Sink, World } from "./terminal/world.ts";

export const main = async (
  argv: readonly string[],
  surroundings: Omit<World, "json" | "client">,
  silence?: SilenceTimes,
): Promise<number> => {
  const world = worldOf(argv, surroundings, silence);
  const layoutFor = ({ columns }: Sink): Layout => ({
    program: world.program,
    columns,
  });
  let named: Named | undefined;
  try {
    const parsed = parse(argv, commands);
    switch (parsed.kind) {
      case "help":
        world.out.write(help(parsed.topic, commands, layoutFor(world.out)));
        return 0;
      case "version":
        world.out.write(`${world.version}\n`);
        return 0;
      case "incomplete":
        world.err.write(help(parsed.group, commands, layoutFor(world.err)));
        return 2;
      case "run":
        named = namedIn(parsed.command.name, parsed.input.args["ID"]);
        return await parsed.command.run(parsed.input, world);
    }
  } catch (error) {
    const advice =
      error instanceof ServerSilent ? error.advice : adviceFor(error, named);
    return explain(error, advice, world);
  }
};

const namedIn = (
  command: string,
  id: AnyInput["args"][string],
): Named | undefined => {
  const [kind] = command.split(" ");
  return typeof id === "string" && (kind === "session" || kind === "task")
    ? { kind, id }
    : undefined;
};

const worldOf = (
  argv: readonly string[],
  surroundings: Omit<World, "json" | "client">,
  silence?: SilenceTimes,
): World => {
  const beforeText = argv.slice(
    0,
    argv.includes("--") ? argv.indexOf("--") : argv.length,
  );
  let client: ReturnType<World["client"]> | undefined;
  // Known before parsing: a command line that cannot be parsed is answered in the form it asked for.
  const json = beforeText.includes("--json");
  const find = async () =>
    connect(
      noticingSilence(
        await lastingAddress(surroundings),
        { ...surroundings, json },
        silence,
      ),
    );
  return { ...surroundings, json, client: () => (client ??= find()) };
};
