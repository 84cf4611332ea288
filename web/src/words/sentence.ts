/** A text of somebody else's as a sentence: one line, with a stop at its end. */
export const sentence = (text: string): string => {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line === "" || /[.!?…:][)”"']?$/.test(line) ? line : `${line}.`;
};
