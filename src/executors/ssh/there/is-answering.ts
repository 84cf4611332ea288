import { get } from "node:http";

/** Whether the agentctl at a socket gives a sign of life. Over the network silence may also be the network's. */
export const isAnswering = (
  socketPath: string,
  token: string,
  ms: number,
): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({
      socketPath,
      path: "/health",
      headers: { authorization: `Bearer ${token}` },
      agent: false,
      signal: AbortSignal.timeout(ms),
    });
    asked.once("response", (response) => {
      response.resume();
      resolve(true);
    });
    asked.on("error", () => resolve(false));
  });
