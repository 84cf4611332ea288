/**
 * Puts a text on the clipboard, and says whether it is there. Browsers allow that only to pages of this machine and to `https`:
 * elsewhere there is no clipboard.
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};
