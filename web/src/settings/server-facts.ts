/** What `config.json` says, in words. */
import type { PageSettings } from "../../../src/contract/api/first-view.ts";
import { counted } from "../words/counts.ts";

export interface ServerFact {
  /** Its name in the file. */
  setting: string;
  text: string;
}

export const serverFacts = (settings: PageSettings): ServerFact[] => [
  {
    setting: "auto_resume",
    text: settings.auto_resume
      ? "A session that somebody opens is resumed by itself where its agent restores its own session."
      : "A session that somebody opens is not resumed by itself.",
  },
  {
    setting: "idle_minutes",
    text:
      settings.idle_minutes === null
        ? "Agents that have nothing to do go on running."
        : `Agents are stopped after ${counted(settings.idle_minutes, "quiet minute")}; a prompt brings them back.`,
  },
  { setting: "recovery", text: recoveryWords(settings.recovery) },
  {
    setting: "checkpoints",
    text: settings.checkpoints
      ? "Every turn is captured, unless a session says otherwise."
      : "Turns are captured only where a session asks for it.",
  },
  { setting: "on_quota", text: quotaWords(settings.on_quota) },
  {
    setting: "trash_days",
    text: `What is deleted can be taken out of the trash for ${counted(settings.trash_days, "day")}.`,
  },
  {
    setting: "ttl_days",
    text:
      settings.ttl_days === null
        ? "No session is ended for its age."
        : `Sessions that nobody used for ${counted(settings.ttl_days, "day")} are ended.`,
  },
  {
    setting: "retention_days",
    text:
      settings.retention_days === null
        ? "Ended sessions are kept."
        : `Sessions that ended ${counted(settings.retention_days, "day")} ago go into the trash.`,
  },
];

const recoveryWords = (mode: string): string => {
  switch (mode) {
    case "all":
      return "A server that starts brings all agents back, also of sessions that rest.";
    case "startup":
      return "A server that starts brings agents back that were cut off.";
    case "lazy":
      return "A server that starts brings no agent back by itself.";
    case "off":
      return "A server that starts looks after no session.";
    default:
      return `A server that starts recovers: ${mode}.`;
  }
};

const quotaWords = (onQuota: string): string => {
  switch (onQuota) {
    case "wait":
      return "A turn that used up its quota waits for your word, unless its session says otherwise.";
    case "continue":
      return "A turn that used up its quota goes on when that is filled again.";
    default:
      return `A turn that used up its quota: ${onQuota}.`;
  }
};
