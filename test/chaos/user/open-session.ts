/** Creates a session, and sets witnesses on it. */
import { join } from "node:path";
import type { Event } from "../../../src/contract/event/event.ts";
import { answerWhenAsked } from "./answer.ts";
import { insist } from "./insist.ts";
import { blankShown, show, type Play } from "../play.ts";
import type { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";
import { followFeed } from "../witness/feed.ts";
import { followSocket } from "../witness/socket.ts";

const agents = { demo: 6, "demo-inject": 2, "demo-fresh": 1 };

/** Null when it was refused. */
export const openSession = async (
  stage: Stage,
  chance: Chance,
): Promise<Play | null> => {
  stage.tally.sessions += 1;
  const name = `s${stage.tally.sessions}`;
  const agent = chance.weighted(agents);
  const cwd = await stage.fileSystems.workspace(stage.tally.sessions, name);
  const ledger = join(stage.house.directory, `${name}.ledger`);
  const body = {
    agent,
    cwd,
    name,
    on_interrupt: chance.isLucky(0.3)
      ? ("continue" as const)
      : ("wait" as const),
    env: {
      DEMO_LEDGER: ledger,
      CHAOS_SESSION: name,
      CHAOS_HOME: stage.house.home,
    },
  };
  // To the end: a session that was made and is not known would be nobody's.
  const created = await insist(chance, stage.curtain, (signal) =>
    stage.client.call("createSession", { body, key: `create-${name}`, signal }),
  );
  if (created.kind === "refused")
    stage.violations.add(
      "P1",
      name,
      `creating was refused: ${created.code} ${created.message}`,
    );
  if (created.kind !== "done") return null;
  const { id } = created.value;
  const known = { name, id, agent, cwd, ledger, parent: null };
  return follow(stage, chance, known);
};

/** Sets witnesses on a session that is there. */
export const follow = (
  stage: Stage,
  chance: Chance,
  known: Pick<Play, "name" | "id" | "agent" | "cwd" | "ledger" | "parent">,
): Play => {
  const play: Play = {
    ...known,
    sent: [],
    answered: [],
    witnesses: [],
    shown: blankShown(),
    rests: [],
    losses: [],
    disturbed: false,
  };
  const { id } = play;
  const { where, curtain } = stage;
  const onEvent = (event: Event): void => {
    show(play.shown, event);
    answerWhenAsked(stage, play, chance, event);
  };
  play.witnesses.push(
    followFeed(where, id, curtain, onEvent),
    followSocket(where, id, curtain, chance),
  );
  stage.plays.push(play);
  return play;
};
