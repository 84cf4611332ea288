/** The commands that go on with a session whose restriction could not be held, ready to be pasted. */
import type { Restriction } from "../../contract/agent/restriction.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { resumeCommand } from "./next-command.ts";
import { quoted } from "../terminal/quoted.ts";

const MAX_SHOWN = 6;

export const correctCommands = (
  program: string,
  session: string,
  restriction: Restriction,
): string =>
  waysOut(restriction)
    .map((options) => `${resumeCommand(program, session)} ${options}`)
    .join("\n");

/** What can be said instead, as options of a resume. */
export const waysOut = ({ what, valid }: Restriction): string[] => {
  const shown = valid.slice(0, MAX_SHOWN);
  switch (what) {
    case "mode":
      return [...shown.map((mode) => `--mode ${quoted(mode)}`), drop(what)];
    case "configuration":
      return shown.map((mode) => `--mode ${quoted(mode)}`);
    case "model":
      return [
        ...shown.map((model) => `--model ${quoted(model)}`),
        "--model-fallback",
        drop(what),
      ];
    case "tools":
      return ["--advisory-tools", drop(what)];
    case "option":
      return [drop("options")];
    case "settings":
    case "permissions":
      return [drop(what)];
    default:
      return unreachable(what);
  }
};

/** What can be said instead to an agent that runs: a value that it offers. */
export const waysToSet = (restriction: Restriction): string[] =>
  waysOut(restriction).filter((option) => /^--(mode|model) /.test(option));

const drop = (what: string): string => `--without ${what}`;
