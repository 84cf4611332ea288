/** Every screen, and every state of a session that a story has brought about. */
import type { Screen } from "./look.ts";
import type { Stories } from "./stories.ts";

export const screensOf = (stories: Stories): readonly Screen[] => [
  { name: "home", path: "/" },
  ...Object.entries(stories.sessions).map(([name, id]) => ({
    name: name === "main" ? "session" : `session-${name}`,
    path: `/s/${id}`,
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
