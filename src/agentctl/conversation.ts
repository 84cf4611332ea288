import type { ReportItem } from "../contract/report.ts";
import type { Line } from "../kit/ndjson.ts";
import type {
  Driver,
  Effect,
  Outgoing,
  Setup,
  Step,
  Telling,
  Want,
} from "./drivers/driver.ts";

/** A driver at work on one agent: remembers its state between steps, so that nobody else needs to know its shape. */
export interface Conversation {
  begin(): Effect[];
  hear(line: Line): Effect[];
  want(want: Want): Effect[];
  tell(line: Line, context: Telling): ReportItem | null;
  ping(): Outgoing;
}

export const converse = <State, Said>(
  driver: Driver<State, Said>,
  setup: Setup,
): Conversation => {
  const first = driver.begin(setup);
  let { state } = first;
  const take = (step: Step<State>): Effect[] => {
    state = step.state;
    return step.effects;
  };
  // A line is heard and, right after, told: read it once.
  let last: { line: Line; said: Said } | null = null;
  const read = (line: Line): Said => {
    if (last?.line !== line) last = { line, said: driver.read(line) };
    return last.said;
  };
  const rangeOf = ({ from, to }: Line) => ({ from, to });
  return {
    begin: () => first.effects,
    hear: (line) => take(driver.hear(setup, state, read(line), rangeOf(line))),
    want: (want) => take(driver.want(setup, state, want)),
    tell: (line, context) => driver.tell(read(line), rangeOf(line), context),
    ping: () => driver.ping(setup),
  };
};
