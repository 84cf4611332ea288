/** This process's stdin and stdout, whatever they are (pipe, FIFO, file), as the streams of the ACP library. */
export const stdin = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      process.stdin
        .on("data", (bytes: Buffer) => controller.enqueue(bytes))
        .on("end", () => controller.close())
        .on("error", (error) => controller.error(error));
    },
  });

export const stdout = (): WritableStream<Uint8Array> =>
  new WritableStream({
    write: (bytes) =>
      new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
  });
