/** The address that a link of an agent leads to; null where it stays text. Only the web: no script, no file, no other program. */
export const webAddress = (href: string): string | null => {
  let url: URL;
  try {
    url = new URL(href.trim());
  } catch {
    return null;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  // `https://github.com@evil.example` looks like another place.
  return url.username === "" && url.password === "" ? url.href : null;
};
