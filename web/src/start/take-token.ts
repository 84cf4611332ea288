/**
 * The token of a link, taken out of the address. It stands behind `#`, which browsers send to nobody; from here on it is
 * neither in the address bar nor in the history.
 */
export const takeToken = (
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState" | "state">,
): string | null => {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return null;
  history.replaceState(
    history.state,
    "",
    `${location.pathname}${location.search}`,
  );
  return token;
};
