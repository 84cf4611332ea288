import type { Readable } from "node:stream";

/** A file as the body of an answer: read as fast as the client takes it, let go when the client goes. */
export const downloaded = (content: Readable): ReadableStream<Uint8Array> => {
  const pieces: AsyncIterator<Uint8Array> = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => void content.destroy(),
  });
};
