import type { PermissionId } from "../../../contract/base/id.ts";
import type { ReportItem } from "../../../contract/link/report.ts";
import type { Line } from "../../../kit/data/ndjson.ts";
import { acp } from "../../drivers/acp/driver.ts";
import type {
  Driver,
  Effect,
  Known,
  Outgoing,
  Setup,
  Step,
  Telling,
  Want,
} from "../../drivers/driver.ts";

/** One agent's protocol: what its lines mean, and how to talk with it. The shape of the driver's state is nobody else's business. */
export interface Speech {
  tell(line: Line, context: Telling): ReportItem | null;
  begin(setup: Setup): Conversation;
  /** Takes up a conversation that another agentctl began. */
  restore(setup: Setup, known: Known): Conversation;
}

export interface Conversation {
  /** What to do first. */
  readonly first: readonly Effect[];
  interpret(line: Line): readonly Effect[];
  want(want: Want): readonly Effect[];
  /** Whether the agent waits for this permission. */
  isAsked(permission: PermissionId): boolean;
  ping(): Outgoing;
}

/** All agents speak ACP to us: for those that do not, a program of ours does. */
export const acpSpeech = (): Speech => speech(acp);

const speech = <State, Said>(driver: Driver<State, Said>): Speech => {
  // A line is heard and, right after, told: read it once. It may be of 100 MB, so it is not kept for longer.
  let last: { line: Line; said: Said } | null = null;
  const forget = (): void => {
    last = null;
  };
  const read = (line: Line): Said => {
    if (last?.line === line) return last.said;
    const said = driver.read(line);
    last = { line, said };
    queueMicrotask(forget);
    return said;
  };
  const converse = (setup: Setup, first: Step<State>): Conversation => {
    let { state } = first;
    const take = (step: Step<State>): readonly Effect[] => {
      state = step.state;
      return step.effects;
    };
    return {
      first: first.effects,
      interpret: (line) =>
        take(driver.interpret(setup, state, read(line), rangeOf(line))),
      want: (want) => take(driver.want(setup, state, want)),
      isAsked: (permission) => driver.isAsked(state, permission),
      ping: () => driver.ping(setup),
    };
  };
  return {
    tell: (line, context) => driver.tell(read(line), rangeOf(line), context),
    begin: (setup) => converse(setup, driver.begin(setup)),
    restore: (setup, known) =>
      converse(setup, {
        state: driver.restore(known),
        // The first message may not have been taken; if it was, it is not sent again.
        effects: known.ready === null ? driver.begin(setup).effects : [],
      }),
  };
};

const rangeOf = ({ from, to }: Line) => ({ from, to });
