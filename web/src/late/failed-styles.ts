/**
 * Style sheets of late parts that did not come. What the builder puts into the page to load code asks for each of them once, and takes one
 * that failed for loaded from then on: the part would be shown without its style.
 */
const failed = new Set<string>();

/** Notes those that fail in this document. */
export const watchStyles = (document: Document): void =>
  document.addEventListener(
    "error",
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement)) return;
      target.remove();
      if (target.rel === "stylesheet") failed.add(target.href);
    },
    true,
  );

/** Asks for them again. Rejects where one does not come: nobody knows which parts need it. */
export const loadFailedStyles = async (): Promise<void> => {
  await Promise.all([...failed].map(loadStyle));
};

const loadStyle = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => {
      failed.delete(href);
      resolve();
    });
    link.addEventListener("error", () => reject(new Error(href)));
    document.head.append(link);
  });
