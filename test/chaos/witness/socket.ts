import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { WireEvent } from "../../../src/client/event.ts";
import { textOf } from "../../../src/executors/link/frame.ts";
import type { Chance } from "../random.ts";
import { lastSeq, type Where, type Witness } from "./witness.ts";

/** Follows over a raw WebSocket; hangs up now and then, and comes back with its cursor. */
export const followSocket = (
  where: Where,
  session: string,
  signal: AbortSignal,
  chance: Chance,
  after = 0,
): Witness => {
  const witness: Witness = {
    name: after === 0 ? "socket" : `socket from ${after}`,
    after,
    events: [],
    connections: 0,
    complaints: [],
    done: Promise.resolve(),
  };
  witness.done = (async () => {
    while (!signal.aborted) {
      await followOnce(where, session, signal, chance, witness);
      await pause(chance.between(5, 200), undefined, { signal }).catch(
        () => null,
      );
    }
  })();
  return witness;
};

const followOnce = async (
  { url, token }: Where,
  session: string,
  signal: AbortSignal,
  chance: Chance,
  witness: Witness,
): Promise<void> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/ws`, [
    `bearer.${token}`,
  ]);
  const closed = once(socket, "close");
  socket.on("error", () => socket.terminate());
  const leave = (): void => socket.terminate();
  const bored = setTimeout(leave, chance.between(500, 20_000));
  signal.addEventListener("abort", leave);
  socket.once("open", () => {
    witness.connections += 1;
    const params = { session_id: session, after: lastSeq(witness) };
    socket.send(JSON.stringify({ id: 1, method: "session.subscribe", params }));
  });
  socket.on("message", (data) => {
    const frame: unknown = JSON.parse(textOf(data));
    if (typeof frame === "object" && frame !== null && "id" in frame) {
      if ("error" in frame)
        witness.complaints.push(
          `subscribing was refused: ${JSON.stringify(frame)}`,
        );
      return;
    }
    witness.events.push(WireEvent.parse(frame));
  });
  if (signal.aborted) leave();
  await closed.catch(() => null);
  clearTimeout(bored);
  signal.removeEventListener("abort", leave);
};
