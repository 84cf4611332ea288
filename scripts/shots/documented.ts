/** The pictures that documents have. They lie in `docs/pictures`, and the tests see to it that they are there and small. */
export type LookName = "light" | "dark" | "phone";

export interface Documented {
  document: "README.md" | "docs/guide/page.md";
  screen: string;
  look: LookName;
}

export const documented: readonly Documented[] = [
  { document: "README.md", screen: "session", look: "light" },
  { document: "docs/guide/page.md", screen: "home", look: "light" },
  {
    document: "docs/guide/page.md",
    screen: "session-interrupted",
    look: "light",
  },
  { document: "docs/guide/page.md", screen: "rewind", look: "light" },
  { document: "docs/guide/page.md", screen: "workspace", look: "dark" },
  { document: "docs/guide/page.md", screen: "session", look: "phone" },
];

export const PICTURES = "docs/pictures";

export const pictureName = ({
  screen,
  look,
}: Pick<Documented, "screen" | "look">): string => `${screen}-${look}.png`;
