import assert from "node:assert/strict";
import { test } from "node:test";
import { NOW } from "../fixtures/samples.ts";
import type { LiveState } from "./live.ts";
import { OtherRelease } from "./release.ts";
import { Value } from "./value.ts";

const begin = () => {
  const live = new Value<LiveState>({ kind: "connected" });
  let answer: () => Promise<{ status: "ok"; version: string }> = () =>
    Promise.reject(new Error("nobody answers"));
  let asked = 0;
  const release = new OtherRelease(
    {
      get state() {
        return live.get();
      },
      subscribe: (changed) => live.subscribe(changed),
    },
    {
      health: () => {
        asked += 1;
        return answer();
      },
    },
    "1.0.0",
  );
  return {
    release,
    asked: () => asked,
    /** The connection breaks, and is back with a server of this release; null: that is gone at once. */
    breakFor: async (version: string | null): Promise<void> => {
      answer = () =>
        version === null
          ? Promise.reject(new Error("nobody answers"))
          : Promise.resolve({ status: "ok", version });
      live.set({ kind: "away", since: NOW, next_try_at: null });
      live.set({ kind: "back", since: NOW, caught_up: 0 });
      await new Promise(setImmediate);
    },
  };
};

test("[PAG-221] another release is told once the connection is back, and no longer when the old one is", async () => {
  const { release, breakFor, asked } = begin();
  assert.equal(asked(), 0);
  await breakFor("1.0.0");
  assert.equal(release.get(), null);
  await breakFor("1.1.0");
  assert.equal(release.get(), "1.1.0");
  await breakFor(null);
  assert.equal(release.get(), "1.1.0");
  await breakFor("1.0.0");
  assert.equal(release.get(), null);
  release.close();
  await breakFor("1.1.0");
  assert.equal(asked(), 4);
});
