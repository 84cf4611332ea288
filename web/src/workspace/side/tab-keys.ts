/** The tab that a key goes to, as lists of tabs do it everywhere; null where the key is another one. */
export const neighbourTab = (
  tabs: readonly string[],
  chosen: string,
  key: string,
): string | null => {
  const at = Math.max(0, tabs.indexOf(chosen));
  const target = {
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at + tabs.length - 1) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }[key];
  return target === undefined ? null : (tabs[target] ?? null);
};
