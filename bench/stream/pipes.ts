/** The floor of a stream: the same programs speak in the same manner, and we read their pipes. */
import { spawn } from "node:child_process";
import type { Voice } from "./choir.ts";
import { LagMeter } from "./lag.ts";
import { type Manner, words } from "../light-agent.ts";
import { program } from "./speakers.ts";

export interface PipedSpeakers extends Disposable {
  voices(manner: Manner): Voice[];
}

export const pipedSpeakers = (count: number): PipedSpeakers => {
  const agents = Array.from({ length: count }, () =>
    spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  return {
    voices: (manner) => {
      const request = { id: 1, method: "session/prompt" };
      const params = { sessionId: "1", prompt: [{ text: words(manner) }] };
      return agents.map(({ stdin, stdout }) => {
        const meter = new LagMeter(manner.chunks);
        stdout.on("data", meter.take);
        return {
          meter,
          begin: async () => {
            stdin.write(`${JSON.stringify({ ...request, params })}\n`);
          },
          leave: () => stdout.removeListener("data", meter.take),
        };
      });
    },
    [Symbol.dispose]: () => {
      for (const agent of agents) agent.kill("SIGKILL");
    },
  };
};
