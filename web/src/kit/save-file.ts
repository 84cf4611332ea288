/** Gives a stream of bytes to the browser as a download. The browser holds it, on the disk where it is large. */
export const saveFile = async (
  bytes: ReadableStream<Uint8Array>,
  name: string,
): Promise<void> => {
  const url = URL.createObjectURL(await new Response(bytes).blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
