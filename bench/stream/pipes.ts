/** The floor of a stream: the same programs speak in the same manner, and we read their pipes. */
import { spawn } from "node:child_process";
import { LagMeter } from "./lag.ts";
import { program, words, type Manner } from "./speakers.ts";

export interface PipedSpeakers extends Disposable {
  lags(manner: Manner): Promise<number[]>;
}

export const pipedSpeakers = (count: number): PipedSpeakers => {
  const agents = Array.from({ length: count }, () =>
    spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  return {
    lags: async (manner) => {
      const text = words(manner);
      const request = { id: 1, method: "session/prompt" };
      const params = { sessionId: "1", prompt: [{ text }] };
      const meters = agents.map(({ stdin, stdout }) => {
        const meter = new LagMeter(manner.chunks);
        stdout.removeAllListeners("data").on("data", meter.take);
        stdin.write(`${JSON.stringify({ ...request, params })}\n`);
        return meter;
      });
      await Promise.all(meters.map(({ complete }) => complete));
      return meters.flatMap(({ lags }) => lags);
    },
    [Symbol.dispose]: () => {
      for (const agent of agents) agent.kill("SIGKILL");
    },
  };
};
