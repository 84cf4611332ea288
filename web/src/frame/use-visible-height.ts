import { useEffect } from "react";

/** The property that says how high the page may be. */
const HEIGHT = "--visible-height";

/**
 * Makes the page as high as what is seen of it. Where a keyboard lies over the page instead of making it smaller, as on an iPhone,
 * what is at the bottom would be behind it.
 */
export const useVisibleHeight = (): void => {
  useEffect(() => {
    const { visualViewport: seen, document } = window;
    if (seen === null) return;
    const { style } = document.documentElement;
    const fit = () => {
      const isCovered = seen.scale === 1 && innerHeight - seen.height > 1;
      if (!isCovered) {
        style.removeProperty(HEIGHT);
        return;
      }
      style.setProperty(HEIGHT, `${seen.height}px`);
      // The browser may have moved the page to show the field: all of it is in sight now.
      scrollTo(0, 0);
    };
    fit();
    seen.addEventListener("resize", fit);
    return () => {
      seen.removeEventListener("resize", fit);
      style.removeProperty(HEIGHT);
    };
  }, []);
};
