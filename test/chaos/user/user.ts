/** Somebody who uses sessions, one after the other, and knows nothing of what goes on behind the server. */
import { setTimeout as pause } from "node:timers/promises";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { expect } from "./expect.ts";
import { mountOrUnmount } from "../file-systems/mount.ts";
import { askOnce, insist } from "./insist.ts";
import { lose } from "../strike/lose.ts";
import { openSession } from "./open-session.ts";
import type { Play, Sent } from "../play.ts";
import { Chance } from "../random.ts";
import { resolutions, resolve } from "./resolve.ts";
import { promptOverSocket } from "./socket-prompt.ts";
import type { Stage } from "../stage.ts";
import { fork, rewind } from "./travel.ts";
import { followSocket } from "../witness/socket.ts";
import { wordsFor } from "./speech.ts";

const weights = {
  prompt: 12,
  resolve: 3,
  cancel: 1,
  "cancel-prompt": 0.5,
  pause: 0.7,
  resume: 1,
  recover: 0.3,
  join: 0.3,
  rewind: 0.6,
  fork: 0.3,
  lose: 0.6,
  mount: 0.3,
  end: 0.15,
};

const MAX_QUEUED = 3;
/** A session and its forks, at a time. */
const MAX_OPEN = 3;

export const useSessions = async (
  stage: Stage,
  name: string,
): Promise<void> => {
  const chance = new Chance(stage.seed, name);
  while (!stage.over.aborted) {
    const play = await openSession(stage, chance);
    if (play !== null) await use(stage, [play], chance);
  }
};

/** Goes on with one, or with what was forked from it, until all have ended. */
const use = async (
  stage: Stage,
  open: Play[],
  chance: Chance,
): Promise<void> => {
  while (!stage.over.aborted) {
    const play = chance.pick(open);
    if (play === undefined) return;
    const action = chance.weighted(weights);
    if (action === "fork") {
      const other = open.length < MAX_OPEN && (await fork(stage, play, chance));
      if (other) open.push(other);
    } else await act(stage, play, chance, action);
    if (action === "end") open.splice(open.indexOf(play), 1);
    await pause(chance.between(20, 500), undefined, {
      signal: stage.over,
    }).catch(() => null);
  }
};

const act = async (
  stage: Stage,
  play: Play,
  chance: Chance,
  action: Exclude<keyof typeof weights, "fork">,
): Promise<void> => {
  const { shown } = play;
  const { client } = stage;
  const params = { id: play.id };
  const body = {};
  const ask = async (call: (signal: AbortSignal) => Promise<unknown>) =>
    expect(stage, play, await askOnce(chance, stage.over, call));
  switch (action) {
    case "prompt":
      if (shown.queued.size < MAX_QUEUED) await prompt(stage, play, chance);
      return;
    case "resolve":
      for (const id of shown.unresolved)
        await resolve(stage, play, chance, id, chance.pick(resolutions));
      return;
    case "cancel":
      if (shown.state !== "RUNNING") return;
      return ask((signal) =>
        client.call("cancelTurn", { params, body, signal }),
      );
    case "cancel-prompt": {
      const prompt_id = chance.pick([...shown.queued]);
      if (prompt_id === undefined) return;
      const which = { ...params, prompt_id };
      return ask((signal) =>
        client.call("cancelPrompt", { params: which, signal }),
      );
    }
    case "pause":
      return ask((signal) =>
        client.call("pauseSession", { params, body, signal }),
      );
    case "resume":
      return ask((signal) =>
        client.call("resumeSession", { params, body, signal }),
      );
    case "recover":
      return ask((signal) =>
        client.call("recoverSession", { params, body, signal }),
      );
    case "join":
      return join(stage, play, chance);
    case "rewind":
      return rewind(stage, play, chance);
    case "lose":
      return lose(stage, play, chance, stage.over);
    case "mount":
      return mountOrUnmount(stage, play, chance, stage.over);
    case "end": {
      const outcome = chance.pick(["completed", "cancelled"] as const);
      await insist(chance, stage.over, (signal) =>
        client.call("endSession", { params, body: { outcome }, signal }),
      );
      return;
    }
    default:
      return unreachable(action);
  }
};

/** Another witness, who comes late and knows a part. */
const join = (stage: Stage, play: Play, chance: Chance): void => {
  const known = play.witnesses[0]?.events.length ?? 0;
  const after = chance.between(0, known);
  play.witnesses.push(
    followSocket(stage.where, play.id, stage.curtain, chance, after),
  );
};

/** Asks with a key until there is an answer, and sometimes once more although there was one. */
const prompt = async (
  stage: Stage,
  play: Play,
  chance: Chance,
): Promise<void> => {
  const tag = `${play.name}.${play.sent.length + 1}`;
  const sent: Sent = {
    tag,
    acknowledged: [],
    ...wordsFor(chance, tag, stage.speech),
  };
  play.sent.push(sent);
  stage.tally.prompts += 1;
  const overSocket = chance.isLucky(0.2);
  const give = () =>
    insist(chance, stage.over, (signal) =>
      overSocket
        ? promptOverSocket(stage.where, play.id, sent.text, tag, signal)
        : stage.client.call("queuePrompt", {
            params: { id: play.id },
            body: { text: sent.text },
            key: tag,
            signal,
          }),
    );
  for (let again = true; again;) {
    const outcome = await give();
    if (outcome.kind === "done") sent.acknowledged.push(outcome.value.id);
    expect(stage, play, outcome);
    again = outcome.kind === "done" && chance.isLucky(0.25);
    if (again) stage.tally.repeated += 1;
  }
};
