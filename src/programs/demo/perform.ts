import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { setImmediate, setTimeout } from "node:timers/promises";
import { unreachable } from "../../kit/unreachable.ts";
import type { Command } from "./command.ts";
import type { Memory } from "./memory.ts";
import { runShell } from "./run-shell.ts";
import type { Turn } from "./turn.ts";
import { writeFileInside } from "./write-file.ts";
import { textual } from "./textual.ts";

export const perform = async (
  command: Command,
  turn: Turn,
  memory: Memory,
): Promise<void> => {
  const { signal } = turn;
  switch (command.kind) {
    case "remember":
      memory.remember(command.key, command.value);
      return turn.say(`I will remember ${command.key}.\n`);
    case "recall": {
      const value = memory.recall(command.key);
      return turn.say(
        value === undefined
          ? `${command.key} is unknown\n`
          : `${command.key}=${value}\n`,
      );
    }
    case "count":
      for (let n = 1; n <= command.to; n++) {
        await turn.say(`${n}\n`);
        if (command.every > 0)
          await setTimeout(command.every, undefined, { signal });
        // Without a pause, let a cancel come in all the same.
        else await setImmediate(undefined, { signal });
      }
      return;
    case "write":
      return writeFileInside(turn, command, "at once");
    case "ask-write":
      return writeFileInside(turn, command, "when allowed");
    case "ask": {
      const toolCallId = `ask-${crypto.randomUUID()}`;
      const { kind } = await turn.ask({
        toolCallId,
        title: command.text,
        kind: "other",
        status: "pending",
      });
      return turn.say(`You chose ${kind}.\n`);
    }
    case "run":
      return runShell(turn, command.command);
    case "sleep":
      await setTimeout(command.ms, undefined, { signal });
      return turn.say(`I slept ${command.ms} ms.\n`);
    case "big":
      return showBig(turn, command.kib);
    case "quota":
      throw usedUp(command.seconds);
    case "crash":
      process.kill(process.pid, "SIGKILL");
      return new Promise(() => {});
    case "talk": {
      const { prompts } = memory;
      return turn.say(
        `You said: ${command.text}\nI remember ${prompts} ${prompts === 1 ? "prompt" : "prompts"}.\n`,
      );
    }
    default:
      return unreachable(command);
  }
};

const TOO_MANY_REQUESTS = 429;

/** As Codex says it: the kind of error and the time, in seconds, beside the message. */
const usedUp = (seconds: number | null): RequestError =>
  new RequestError(TOO_MANY_REQUESTS, "The quota is used up.", {
    errorKind: "rate_limit",
    ...(seconds !== null && {
      resetsAt: Math.ceil(Date.now() / 1000 + seconds),
    }),
  });

/** A tool call whose result has `kib` KiB: numbered lines, so that a missing piece shows. */
const showBig = async (turn: Turn, kib: number): Promise<void> => {
  const toolCallId = `big-${crypto.randomUUID()}`;
  await turn.show({
    toolCallId,
    title: `Read ${kib} KiB`,
    kind: "read",
    status: "in_progress",
    rawInput: { kib },
  });
  await turn.showMore({
    toolCallId,
    status: "completed",
    content: textual(kibibytes(kib)),
  });
  await turn.say(`That were ${kib} KiB.\n`);
};

const kibibytes = (count: number): string => {
  const pieces: string[] = [];
  for (let n = 1; n <= count; n++)
    pieces.push(`${n} `.padEnd(1023, ".") + "\n");
  return pieces.join("");
};
