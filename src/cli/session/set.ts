import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";
import { budgetWords } from "../../contract/base/budget.ts";
import type { Session } from "../../contract/session/session.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";
import { answer } from "../terminal/print.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { spinning } from "../terminal/spinner.ts";
import { newBudgetIn, newBudgetOption } from "./shared/budget.ts";
import { onQuotaIn, onQuotaOption } from "./shared/on-quota.ts";
import { onInterruptOption } from "./shared/on-interrupt.ts";
import { sessionArgument, targetOf } from "./shared/target.ts";

export const set = command({
  name: "session set",
  summary: "Change a session and the settings of its agent",
  about:
    "An agent that runs is told at once, also in the middle of a turn, and the command waits until the agent has confirmed it. What the agent does not take is refused, and nothing is changed. Where no agent runs, the next start applies it. `session show` lists what the agent offers.",
  args: [sessionArgument],
  options: {
    name: { kind: "text", value: "N", help: "the name of the session" },
    model: { kind: "text", value: "M", help: "the agent's model" },
    mode: { kind: "text", value: "M", help: "the agent's mode" },
    "on-interrupt": onInterruptOption,
    "on-quota": onQuotaOption,
    budget: newBudgetOption,
    option: {
      kind: "list",
      value: "ID=VALUE",
      help: "another option that the agent offers; may be repeated",
    },
  },
  examples: [
    "reprise session set ses_01jm --mode read-only",
    'reprise session set ses_01jm --name "the login"',
  ],
  async run({ args, options }, world) {
    const { name, model, mode } = options;
    const { "on-interrupt": on_interrupt } = options;
    const on_quota = onQuotaIn(options["on-quota"]);
    const values = optionsIn(options.option);
    const changes: ChangeSessionRequest = {
      ...(name !== undefined && { name }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      ...(on_interrupt !== undefined && { on_interrupt }),
      ...(on_quota !== undefined && { on_quota }),
      ...(options.option.length > 0 && { options: values }),
    };
    const parts = newBudgetIn(options.budget);
    if (Object.keys(changes).length === 0 && parts === undefined)
      throw new UsageError("Say what to change, for example --mode MODE.");
    const { client, id } = await targetOf(world, args.ID);
    if (parts !== undefined)
      changes.budget = parts && {
        ...(await client.showSession(id)).budget?.limits,
        ...parts,
      };
    const session = await spinning(
      world.err,
      "waiting for the agent",
      client.changeSession(id, changes),
    );
    answer(world, session, () => outcome(session, changes));
    return 0;
  },
});

const optionsIn = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new UsageError(`--option must be ID=VALUE, not "${pair}".`);
    }),
  );

const budgetOutcome = ({ budget }: Session): string =>
  budget === null
    ? "no budget"
    : `spent ${budgetWords(budget.limits, budget.spent)}${budget.reached === null ? "" : `, so its budget of ${budget.reached} is used up: it stops, and takes no prompts until that is raised`}`;

const outcome = (session: Session, changes: ChangeSessionRequest): string => {
  const { id, is_agent_running, at_next_start } = session;
  const { model, mode, options } = changes;
  const isForAgent = [model, mode, options].some((it) => it !== undefined);
  const { options: _, budget: said, ...others } = changes;
  const words = [
    ...Object.entries({ ...others, ...options }).map(([name, value]) =>
      oneLine(`${name} ${value}`),
    ),
    ...(said === undefined ? [] : [budgetOutcome(session)]),
  ].join(", ");
  if (!isForAgent) return `${id}: ${words}.`;
  if (at_next_start.length > 0)
    return `${id}: ${words}. The agent was started by an older release and cannot be told while it runs: it applies when the agent is next started.`;
  return is_agent_running
    ? `${id}: ${words}. The agent has confirmed it.`
    : `${id}: ${words}. It applies when the agent is next started.`;
};
