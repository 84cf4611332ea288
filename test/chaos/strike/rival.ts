/**
 * A second server on the home of one that is frozen. It must not come up unless it is told to take over, and then the
 * first must be gone. Where both live (a build without the lock), the first has been superseded and must not get
 * anything done when it wakes.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect, type Client } from "../../../src/client/client.ts";
import { identify } from "../../../src/kit/processes/process-identity.ts";
import type { ChaosHouse } from "../house.ts";
import { askOnce } from "../user/insist.ts";
import type { Play, Sent } from "../play.ts";
import type { Chance } from "../random.ts";
import type { Stage } from "../stage.ts";

/** As a user does whose server does not answer any more. */
export const takeOver = async (stage: Stage, chance: Chance): Promise<void> => {
  await stage.server.up;
  await stage.server.standAside(async () => {
    const { pid } = stage.server;
    stage.server.signal("SIGSTOP");
    await using rival = await startRival(stage.house, "--take-over");
    if (rival.url === null) {
      stage.violations.add(
        "P4",
        null,
        `a frozen server cannot be taken over: ${rival.words()}`,
      );
      stage.server.signal("SIGKILL");
      return;
    }
    stage.tally.rivals.tookOver += 1;
    // A signal reaches a dead process too, for as long as we have not noticed its end.
    if (pid !== null && (await identify(pid)) !== null)
      stage.violations.add("P4", null, "a server that was taken over lives");
    const client = connect({ ...stage.where, url: rival.url });
    for (const play of stage.plays) await give(stage, client, play, chance);
  });
};

/** As a second server that was started by mistake. */
export const intrude = async (stage: Stage, chance: Chance): Promise<void> => {
  await stage.server.up;
  await stage.server.standAside(async () => {
    stage.server.signal("SIGSTOP");
    await using rival = await startRival(stage.house);
    if (rival.url === null) {
      stage.tally.rivals.refused += 1;
      stage.server.signal("SIGCONT");
      return;
    }
    stage.tally.rivals.intruded += 1;
    await outrank(stage, connect({ ...stage.where, url: rival.url }), chance);
    stage.server.signal("SIGKILL");
  });
};

/** The rival moves every session on; then the first wakes, and must not get anything done. */
const outrank = async (
  stage: Stage,
  rival: Client,
  chance: Chance,
): Promise<void> => {
  for (const play of stage.plays) await give(stage, rival, play, chance);
  stage.server.signal("SIGCONT");
  // The first try may fail only because the session has moved on; the second knows where it is.
  for (const round of [1, 2])
    for (const play of stage.plays)
      if (await give(stage, stage.client, play, chance))
        stage.violations.add(
          "P4",
          play.name,
          `a server that was superseded took a prompt (round ${round})`,
        );
};

/** Whether the server took a prompt. */
const give = async (
  stage: Stage,
  client: Client,
  play: Play,
  chance: Chance,
): Promise<boolean> => {
  const tag = `${play.name}.${play.sent.length + 1}`;
  const sent: Sent = {
    tag,
    text: `tag:${tag};`,
    remembers: null,
    asksToWrite: null,
    leaves: [],
    acknowledged: [],
  };
  play.sent.push(sent);
  const outcome = await askOnce(chance, stage.curtain, (signal) =>
    client.call("queuePrompt", {
      params: { id: play.id },
      body: { text: sent.text },
      key: tag,
      signal,
    }),
  );
  if (outcome.kind === "done") sent.acknowledged.push(outcome.value.id);
  return outcome.kind === "done";
};

interface Rival extends AsyncDisposable {
  /** Null when it was refused. */
  url: string | null;
  /** What it printed. */
  words(): string;
}

const startRival = async (
  house: ChaosHouse,
  ...flags: readonly string[]
): Promise<Rival> => {
  const argv = ["up", "--port", "0", ...flags];
  const child = spawn(join(house.product, "bin/reprise"), argv, {
    env: house.env(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let words = "";
  const url = await new Promise<string | null>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        words += chunk.toString();
        const found = /Reprise is up: (\S+)/.exec(words)?.[1];
        if (found !== undefined) resolve(found);
      });
    child.once("close", () => resolve(null));
  });
  return {
    url,
    words: () => words,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
    },
  };
};
