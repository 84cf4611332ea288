/** What the page gets with its document: enough to show the first screen without asking again. */
import * as z from "zod";
import { Session, SessionStatus } from "../session/session.ts";
import { SessionPage } from "./route.ts";
import { TaskPage } from "./task-route.ts";
import { ConversationWindow } from "./window-route.ts";

/** What `config.json` says to the page, and where it is. */
export const PageSettings = z.object({
  auto_resume: z.boolean().default(true),
  idle_minutes: z.number().nullable().default(30),
  trash_days: z.number().default(7),
  recovery: z.string().default("startup"),
  checkpoints: z.boolean().default(true),
  ttl_days: z.number().nullable().default(null),
  retention_days: z.number().nullable().default(null),
  on_quota: z.string().default("wait"),
  /** Null where nobody says. */
  config_file: z.string().nullable().default(null),
  /** The home directory of whoever runs the server. */
  user_home: z.string().nullable().default(null),
});
export type PageSettings = z.infer<typeof PageSettings>;

export const HomeView = z.object({
  /** The cursor of the home stream: what is in the lists was read behind it. */
  seq: z.int(),
  sessions: SessionPage,
  needs_you: SessionPage,
  tasks: TaskPage,
  settings: PageSettings.prefault({}),
});
export type HomeView = z.infer<typeof HomeView>;

export const FirstSession = z.object({
  session: Session,
  /** Null where the agent's place did not answer at once. */
  status: SessionStatus.nullable(),
  /** The newest of the conversation, and the event to follow from. */
  window: ConversationWindow,
});
export type FirstSession = z.infer<typeof FirstSession>;

export const FirstView = z.object({
  version: z.string(),
  /** Null: nobody is signed in, and nothing is told. */
  home: HomeView.nullable(),
  /** The session of the address, where it names one that can be shown. */
  session: FirstSession.nullable(),
});
export type FirstView = z.infer<typeof FirstView>;
