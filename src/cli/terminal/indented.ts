export const indented = (text: string): string =>
  text.replaceAll(/^(?=.)/gm, "    ");
