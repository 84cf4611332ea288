/**
 * Light, dark, or what the system says. It is kept in a cookie, so that the server can put it into the document: the first
 * picture has the right colours.
 */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const COOKIE = "reprise_theme";
const YEAR_SECONDS = 365 * 24 * 3600;

export const currentTheme = ({ documentElement }: Document): Theme => {
  const { theme } = documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

export const chooseTheme = (document: Document, theme: Theme): void => {
  const isSystem = theme === "system";
  if (isSystem) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  document.cookie = `${COOKIE}=${isSystem ? "" : theme}; Path=/; SameSite=Lax; Max-Age=${isSystem ? 0 : YEAR_SECONDS}`;
};
