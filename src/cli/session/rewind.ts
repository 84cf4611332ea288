import type { Client } from "../../client/client.ts";
import type { Rewound } from "../../contract/checkpoint-route.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { RepriseError } from "../../contract/problem.ts";
import { command } from "../command.ts";
import { answer } from "../print.ts";
import { changeCount, changeList, unknownList } from "../text/change.ts";
import type { Palette } from "../text/palette.ts";
import { personal } from "../text/rewind.ts";
import { UsageError } from "../usage-error.ts";
import { readMoment, turnArgument } from "./moment.ts";
import { sessionArgument, targetOf } from "./target.ts";

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
    const wanted = readMoment(args.TURN);
    const { palette } = world.out;
    const done = await client
      .rewindSession(id, { ...wanted, dry_run, ...editsOf(options) })
      .catch(async (error: unknown) => {
        if (!isUnconfirmed(error)) throw error;
        const plan = await client.rewindSession(id, {
          ...wanted,
          dry_run: true,
        });
        throw new RepriseError(
          "rewind_unconfirmed",
          `Nothing was touched. ${wouldBe(plan, palette)}\nGo back all the same with --yes, or leave those changes and commits as they are with --keep-edits.`,
        );
      });
    if (dry_run || world.json)
      answer(world, done, () => wouldBe(done, palette));
    else {
      const undo = await undoOf(client, id);
      answer(world, done, () => hasBeen(done, palette, world.program, undo));
    }
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

const wouldBe = (plan: Rewound, palette: Palette): string => {
  const to = `turn ${plan.turn} (${plan.checkpoint})`;
  const list = changeList(plan.changes, plan.truncated, palette);
  const alone = leftAlone(plan) + personal(plan, palette);
  const conflicts =
    plan.conflicts.length === 0
      ? ""
      : `Refused as it is: others changed the same.\n${changeList(plan.conflicts, plan.more_conflicts !== undefined, palette)}`;
  return plan.changes.length === 0
    ? `Going back to ${to} would change no files.\n${alone}${conflicts}${memory(plan)}`
    : `Going back to ${to} would change ${changeCount(plan.changes, plan.truncated)}:\n${list}${alone}${conflicts}${memory(plan)}`;
};

const leftAlone = ({ left_alone = [] }: Rewound): string =>
  unknownList(left_alone, "left alone");

const hasBeen = (
  done: Rewound,
  palette: Palette,
  program: string,
  undo: string | null,
): string =>
  [
    `${done.session.id} is back at turn ${done.turn} (${done.checkpoint}); ${changeCount(done.changes, done.truncated)} changed.\n`,
    changeList(done.changes, done.truncated, palette),
    leftAlone(done),
    personal(done, palette),
    memory(done),
    undo === null
      ? ""
      : `\nUndo it with \`${program} session rewind ${done.session.id} ${undo}\`.`,
  ].join("");

const memory = ({ turn, conversation }: Rewound): string => {
  if (turn === 0) return "The agent starts without a conversation.";
  switch (conversation) {
    case "native":
      return `The agent goes on from its own session as it was after turn ${turn}.`;
    case "injected":
      return `The agent is told what was said up to turn ${turn} with the next prompt.`;
    case "fresh":
      return "The agent will know nothing of what was said: it can neither restore its session nor be told.";
    default:
      return unreachable(conversation);
  }
};

/** What was there before it. */
const undoOf = async (client: Client, id: string): Promise<string | null> => {
  const { checkpoints } = await client.listCheckpoints(id);
  return (
    checkpoints.findLast(({ kind, tree }) => kind === "rewind" && tree !== null)
      ?.id ?? null
  );
};
