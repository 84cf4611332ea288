import { RepriseError } from "../../contract/problem/problem.ts";

/** The bytes of a file that is sent as a body, as they come. */
export const uploaded = (request: Request): AsyncIterable<Uint8Array> => {
  // A form of another site can send some types without asking first; this one it cannot, so it is part of the defence.
  const type = request.headers.get("content-type") ?? "";
  if (type.trim().toLowerCase() !== "application/octet-stream")
    throw new RepriseError(
      "unsupported_media_type",
      `Send the file as "Content-Type: application/octet-stream"; this one is ${JSON.stringify(type.slice(0, 100))}.`,
    );
  if (request.body !== null) return whole(request.body);
  throw new RepriseError("damaged_archive", "The body is empty: send a file.");
};

/** The same of any type, and of nothing: where no form can send it, as with PUT. */
export const bytesOf = (request: Request): AsyncIterable<Uint8Array> =>
  whole(request.body ?? new Blob([]).stream());

async function* whole(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new RepriseError(
          "invalid_request",
          "The body ended before it was complete.",
          { cause: error },
        );
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever stopped reading wants no more of it.
    await reader.cancel().catch(() => undefined);
  }
}
