import { RepriseError } from "../../contract/problem/problem.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { hasBeen, wouldBe } from "../text/files/rewind.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { readMoment, turnArgument } from "./shared/moment.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const rewind = command({
  name: "session rewind",
  summary: "Bring workspace and conversation back to an earlier turn",
  about:
    "The agent is stopped, and what is there is captured first, so that a rewind can be undone. In a directory that other sessions share, only what this one changed is undone. Where it would undo what somebody changed between turns, or move HEAD of a repository, it shows that and stops: go on with --yes, or leave all of that with --keep-edits.",
  args: [sessionArgument, turnArgument],
  options: {
    "dry-run": { kind: "flag", help: "only say what would change" },
    yes: {
      kind: "flag",
      help: "also undo what was changed or committed between turns",
    },
    "keep-edits": {
      kind: "flag",
      help: "leave what was changed or committed between turns as it is",
    },
  },
  examples: [
    "reprise session rewind ses_01jm 3 --dry-run",
    "reprise session rewind ses_01jm 3",
    "reprise session rewind ses_01jm 3 --keep-edits",
  ],
  exits: {
    4: "refused: a turn runs, others changed the same files, or it would undo what somebody did between turns",
  },
  async run({ args, options }, world) {
    const { client, id } = await targetOf(world, args.ID);
    const dry_run = options["dry-run"];
    if (options.yes && options["keep-edits"])
      throw new UsageError("--yes and --keep-edits exclude each other.");
    const moment = readMoment(args.TURN, id);
    const { palette } = world.out;
    const again = `reprise session rewind ${id} ${args.TURN}`;
    const done = await client
      .rewindSession(id, { ...moment, dry_run, ...editsOf(options) })
      .catch(async (error: unknown) => {
        if (!isUnconfirmed(error)) throw error;
        const plan = await client.rewindSession(id, {
          ...moment,
          dry_run: true,
        });
        throw new RepriseError(
          "rewind_unconfirmed",
          `Nothing was touched. ${wouldBe(plan, palette)}\nGo back all the same with \`${again} --yes\`, or leave those changes and commits as they are with \`${again} --keep-edits\`.`,
        );
      });
    answer(world, done, () =>
      dry_run ? wouldBe(done, palette) : hasBeen(done, palette, world.program),
    );
    return 0;
  },
});

/** A preview shows what would be undone, and asks for nothing. */
const editsOf = (options: {
  "dry-run": boolean;
  yes: boolean;
  "keep-edits": boolean;
}): { edits?: "keep" | "refuse" } => {
  if (options["keep-edits"]) return { edits: "keep" };
  return options.yes || options["dry-run"] ? {} : { edits: "refuse" };
};

const isUnconfirmed = (error: unknown): boolean =>
  error instanceof RepriseError && error.code === "rewind_unconfirmed";
