/**
 * Notices of this tab. Of all tabs of the page the one that holds a lock speaks; the others take its place when it is closed. Tabs tell
 * each other which session they show, so that nobody is told what is in front of them.
 */
import type { Agents } from "../store/agents.ts";
import type { Attention } from "../store/attention.ts";
import { type Notice, Notices } from "../store/notices.ts";
import type { Readable } from "../store/readable.ts";
import { browserScheduler } from "../store/scheduler.ts";
import { sessionPath } from "../routes.ts";

interface Shown {
  tab: string;
  /** The address that is in sight; null while the tab is hidden. */
  path: string | null;
}

export const speak = (
  attention: Readable<readonly Attention[]>,
  agents: Pick<Agents, "name">,
): void => {
  const tab = crypto.randomUUID();
  const shown = new Map<string, string>();
  const channel = new BroadcastChannel("reprise.shown");
  const note = ({ tab: of, path }: Shown): void => {
    if (path === null) shown.delete(of);
    else shown.set(of, path);
  };
  const tell = (): void => {
    const here: Shown = {
      tab,
      path: document.visibilityState === "visible" ? location.pathname : null,
    };
    note(here);
    channel.postMessage(here);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Shown>) =>
    note(data),
  );
  for (const event of ["visibilitychange", "pagehide"])
    document.addEventListener(event, tell);
  window.addEventListener("popstate", tell);

  const notices = new Notices({
    scheduler: browserScheduler,
    show,
    isShown: (session) => {
      tell();
      const path = sessionPath(session);
      return [...shown.values()].some(
        (each) => each === path || each.startsWith(`${path}/`),
      );
    },
    agentName: (agent) => agents.name(agent),
  });
  const update = (): void => {
    tell();
    notices.update(attention.get());
  };
  attention.subscribe(update);
  update();
  // Held until the tab is closed.
  void navigator.locks.request("reprise.notices", () => {
    notices.speak();
    return new Promise<never>(() => undefined);
  });
};

/** Only where somebody has allowed it, by a click in the settings. */
const show = ({ title, body, tag, session }: Notice): void => {
  if (!("Notification" in window) || Notification.permission !== "granted")
    return;
  const notice = new Notification(title, { body, tag });
  notice.addEventListener("click", () => {
    window.focus();
    location.assign(session === null ? "/" : sessionPath(session));
    notice.close();
  });
};
