import type { ITheme } from "@xterm/xterm";

/** The colours of xterm.js, and the tokens that they are. */
const tokens = {
  background: "--term",
  foreground: "--term-ink",
  cursor: "--term-ink",
  cursorAccent: "--term",
  selectionBackground: "--term-selection",
  scrollbarSliderBackground: "--term-slider",
  scrollbarSliderHoverBackground: "--term-slider-hover",
  scrollbarSliderActiveBackground: "--term-slider-hover",
  black: "--term-black",
  red: "--term-red",
  green: "--term-green",
  yellow: "--term-yellow",
  blue: "--term-blue",
  magenta: "--term-magenta",
  cyan: "--term-cyan",
  white: "--term-white",
  brightBlack: "--term-bright-black",
  brightRed: "--term-bright-red",
  brightGreen: "--term-bright-green",
  brightYellow: "--term-bright-yellow",
  brightBlue: "--term-bright-blue",
  brightMagenta: "--term-bright-magenta",
  brightCyan: "--term-bright-cyan",
  brightWhite: "--term-bright-white",
} as const satisfies Partial<Record<keyof ITheme, string>>;

/** As they are on `host` now. xterm.js wants colours that are computed. */
export const themeOf = (host: HTMLElement): ITheme => {
  const probe = host.ownerDocument.createElement("i");
  probe.hidden = true;
  host.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const theme = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, colour(token)]),
  );
  probe.remove();
  return theme;
};

/** Calls `changed` when the page may have other colours, until what it answers with is called. */
export const watchTheme = (changed: () => void): (() => void) => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
};
