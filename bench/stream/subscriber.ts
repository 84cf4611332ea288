import { get, type IncomingMessage } from "node:http";
import type { Server } from "../../test/e2e/house.ts";

/** Follows a session as any HTTP client would; what arrives is handed on as bytes, so that nearly all the time is the server's.
 * Returns how to leave. */
export const subscribe = async (
  { url, token }: Pick<Server, "url" | "token">,
  session: string,
  after: number,
  take: (bytes: Buffer) => void,
): Promise<() => void> => {
  const request = get(`${url}/api/sessions/${session}/stream?after=${after}`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
  });
  if (response.statusCode !== 200)
    throw new Error(`the stream was refused: ${response.statusCode}`);
  response.on("data", take);
  response.on("error", () => {});
  return () => {
    request.destroy();
  };
};
