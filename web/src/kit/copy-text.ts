/** What could not be copied; the page shows it. */
export class Uncopied extends Event {
  static readonly type = "reprise-uncopied";
  readonly text: string;

  constructor(text: string) {
    super(Uncopied.type);
    this.text = text;
  }
}

/**
 * Puts a text on the clipboard, and says whether it is there. Browsers allow that only to pages of this machine and to `https`:
 * elsewhere there is no clipboard. Then the text is shown, to be copied by hand.
 */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    document.dispatchEvent(new Uncopied(text));
    return false;
  }
};
