/** A thread that helps another one of the vault with what is large. It holds little, because it begins while one waits. */
import { makeFiles } from "../write/make-files.ts";
import type { SideCalls } from "../threads/side-calls.ts";
import { Reader } from "../read/reader.ts";
import { serveCalls } from "./serve-calls.ts";

serveCalls<SideCalls>(({ objects }) => {
  const reader = new Reader(objects);
  return {
    readFiles: ({ batch, taken }, { isAborted }) =>
      reader.read(batch, taken, isAborted),
    finishReading: () => reader.finish(),
    discardReading: async () => {
      await reader.discard();
      return null;
    },
    makeFiles: (order, { isAborted }) => makeFiles(order, objects, isAborted),
  };
});
