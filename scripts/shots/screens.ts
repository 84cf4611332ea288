/** Every screen, and every state of a session that a story has brought about. */
import type { Page } from "playwright-core";
import type { Screen } from "./look.ts";
import type { Stories } from "./stories.ts";

const areColoured = (page: Page): Promise<void> =>
  page
    .getByRole("region", { name: "Permission" })
    .locator('[data-kind="added"] span > span')
    .first()
    .waitFor();

export const screensOf = (stories: Stories): readonly Screen[] => [
  { name: "home", path: "/" },
  ...Object.entries(stories.sessions).map(([name, id]) => ({
    name: name === "main" ? "session" : `session-${name}`,
    path: `/s/${id}`,
    // A worker colours the file that is asked about.
    ...(name === "main" ? { prepare: areColoured } : {}),
  })),
  { name: "changes", path: `/s/${stories.sessions.main}/changes` },
  { name: "rewind", path: `/s/${stories.sessions.rewound}/rewind/1` },
  {
    name: "workspace",
    path: `/s/${stories.sessions.main}/workspace/src/limit.ts`,
    // A worker colours the line; first in it are unseen words.
    prepare: (page) =>
      page.locator("[data-line] code > span:nth-child(2)").first().waitFor(),
  },
  { name: "new", path: "/new" },
  { name: "tasks", path: "/tasks" },
  { name: "task", path: `/tasks/${stories.task}` },
  { name: "agents", path: "/agents" },
  { name: "settings", path: "/settings" },
  { name: "trash", path: "/trash" },
  {
    name: "palette",
    path: `/s/${stories.sessions.main}`,
    prepare: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "keys",
    path: `/s/${stories.sessions.main}`,
    prepare: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
];
