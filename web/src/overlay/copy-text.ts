/** Puts a text on the clipboard. Browsers allow it only to pages of the machine itself or over https. */
export const copyText = async (text: string): Promise<void> => {
  await navigator.clipboard.writeText(text);
};
