/** The text that a file holds; null for what is no text. */
export const textIn = (bytes: Uint8Array): string | null => {
  try {
    const text = new TextDecoder("utf-8", {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
};
