import type { Readable } from "node:stream";
import type { Hono } from "hono";
import { routes } from "../../contract/api/route.ts";
import { idempotencyKey, query, sessionId } from "../ask/ask.ts";
import type { Operations } from "../ask/operations.ts";
import { render } from "../answer/render.ts";
import { uploaded } from "../ask/upload.ts";

export const archiveRoutes = (app: Hono, operations: Operations): void => {
  app.get(routes.exportSession.path, async (c) => {
    const id = sessionId(c);
    const { bytes, content } = await operations.exportSession(id);
    return new Response(downloaded(content), {
      status: routes.exportSession.status,
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(bytes),
        "content-disposition": `attachment; filename="${id}.reprise"`,
      },
    });
  });

  const take = routes.importSession;
  app.post(take.path, async (c) => {
    const wanted = query(c, take.query);
    const key = idempotencyKey(c);
    const content = uploaded(c.req.raw);
    return render(take, await operations.importSession(content, wanted, key));
  });
};

/** A file as the body of an answer: read as fast as the client takes it, let go when the client goes. */
const downloaded = (content: Readable): ReadableStream<Uint8Array> => {
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
