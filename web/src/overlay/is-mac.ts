/** Whether ⌘ is the key of commands. */
export const isMac = ({ userAgent }: Pick<Navigator, "userAgent">): boolean =>
  /Macintosh|iPhone|iPad/.test(userAgent);
