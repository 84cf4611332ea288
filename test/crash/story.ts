import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { User } from "./user.ts";
import type { World } from "./world.ts";

/** More than a pipe takes at once, and more than agentctl lets go by before it writes down what was acknowledged. */
const long = "x".repeat(70_000);

/** A session's whole life. Wherever somebody dies meanwhile, it goes like this, and nothing is lost or done twice. */
export const wholeLife = async (world: World): Promise<User> => {
  // The demo agent has no modes: it refuses, which is a notice.
  const user = await User.create(world, { mode: "careful" });
  await user.say("remember pass=mellon");
  assert.equal(await user.say("count 20 5", "socket"), numbers(20));
  assert.match(await user.say(`a long one ${long}`), /x{70000}/);

  await user.queue("ask-write a.txt hello");
  await user.permit();
  await user.queue("sleep 60000");
  await user.watcher.until(
    (event) => event.type === "session.turn.started" && event.data.turn === 5,
  );
  const written = join(world.house.workspace, "a.txt");
  assert.equal(await readFile(written, "utf8"), "hello");
  await user.cancel();
  await user.watcher.until(
    (event) =>
      event.type === "session.turn.ended" &&
      event.data.turn === 5 &&
      event.data.outcome === "cancelled",
  );

  await user.pause();
  await user.resume();
  assert.match(await user.say("recall pass"), /pass=mellon/);
  assert.match(await user.grade(), /^(native|reattached)$/);
  await user.check();
  await user.end();
  await user.check();
  return user;
};

/** What `count` streams. */
const numbers = (n: number): string =>
  Array.from({ length: n }, (_, index) => `${index + 1}\n`).join("");
