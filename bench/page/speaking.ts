/** A session with an agent that speaks, and its page. */
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { eventually } from "../../src/kit/fixtures/patience.ts";
import type { Server, TestHouse } from "../../test/e2e/house.ts";
import { type Manner, words } from "../light-agent.ts";
import { lastSentence } from "./prose.ts";

const AGENT = "prose";

/** What a home with that agent has in its configuration. */
export const withProse = {
  agents: {
    [AGENT]: {
      command: [process.execPath, join(import.meta.dirname, "prose-agent.ts")],
    },
  },
};

export interface Speaker {
  page: Page;
  /** Begins a turn. */
  ask: (manner: Manner) => Promise<void>;
  /** Resolves when the page shows the end of the turn that was asked for last. */
  isSaid: () => Promise<void>;
}

export const openSpeaker = async (
  context: BrowserContext,
  server: Server,
  house: TestHouse,
): Promise<Speaker> => {
  const { client, url } = server;
  const { id } = await client.createSession({
    agent: AGENT,
    cwd: house.workspace,
  });
  await client.resumeSession(id);
  const page = await context.newPage();
  await page.goto(`${url}/s/${id}`);
  let turns = 0;
  return {
    page,
    ask: async (manner) => {
      turns += 1;
      await client.queuePrompt(id, { text: words(manner) });
    },
    isSaid: async () => {
      await page.getByText(lastSentence(turns)).waitFor();
      await eventually(
        () => client.showSession(id),
        ({ state }) => state === "WAITING_FOR_INPUT",
      );
    },
  };
};
