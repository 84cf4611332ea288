import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { sendRefusal } from "../dock/attachments.ts";
import type { Kept } from "../dock/kept.ts";
import { browserKept } from "../dock/late-kept.ts";
import { useAttachments } from "../dock/use-attachments.ts";
import { useReadable } from "../kit/use-readable.ts";
import { sessionPath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { directoryFault, type Form, requestOf, wholePath } from "./form.ts";
import { NEW_DRAFT } from "../store/drafts.ts";
import { NewDraft } from "./new-draft.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { agentToChoose, recentDirectories } from "./suggestions.ts";

export type NewSessionStores = Pick<
  PageStores,
  "client" | "sessions" | "agents" | "settings" | "shelf" | "scheduler"
>;

/** Among drafts of sessions, which are called by their ids. */
const DRAFT = "new";

const elsewhere = (text: string): Refusal => ({
  field: null,
  text,
  isNoRepository: false,
});

/** The form of a new session: what is in it, where it is kept, and how it is sent. */
export const useNewSession = ({
  client,
  sessions,
  agents,
  settings: { user_home: userHome },
  shelf,
  scheduler,
}: NewSessionStores) => {
  const [, navigate] = useLocation();
  const [query] = useSearchParams();
  const where = useRef<HTMLInputElement>(null);
  const draft = useMemo(
    () => new NewDraft({ shelf, newKey: () => crypto.randomUUID() }),
    [shelf],
  );
  const keptAttachments = useMemo(() => {
    const kept = browserKept(() => scheduler.now());
    return {
      read: () => kept.read(DRAFT),
      write: (all: Kept) => kept.write(DRAFT, all),
    };
  }, [scheduler]);
  const [form, setForm] = useState<Form>(() => {
    const { form: kept } = draft.read();
    return {
      ...kept,
      directory: query.get("cwd") ?? kept.directory,
    };
  });
  /** Here and now, not when the last session was started. */
  const [chosen, setChosen] = useState(query.get("agent"));
  /** The prompt was typed before, and nobody has typed at it since. */
  const [isOld, setOld] = useState(form.prompt !== "");
  const [isKept, setKept] = useState(() => !shelf.holds(NEW_DRAFT));
  const [isStarting, setStarting] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { sessions: known } = useReadable(sessions);
  const view = useReadable(agents);
  useEffect(() => {
    void agents.load();
  }, [agents]);

  const agent =
    view.kind === "known"
      ? agentToChoose(view.agents, { chosen, last: form.agent })
      : (chosen ?? form.agent);
  const change = (part: Partial<Form>): void => {
    const next = { ...form, ...part };
    setForm(next);
    if (part.agent !== undefined) setChosen(part.agent);
    if (part.prompt !== undefined) setOld(false);
    setRefusal(null);
    setKept(draft.write(next));
  };
  const refuse = (why: Refusal): void => {
    setRefusal(why);
    if (why.field === "directory") where.current?.focus();
  };
  const attached = useAttachments(
    (text) => refuse(elsewhere(text)),
    keptAttachments,
  );
  const { attachments, clear } = attached;
  const start = async (isEmpty: boolean): Promise<void> => {
    const fault = directoryFault(wholePath(form.directory, userHome));
    if (fault !== null)
      return refuse({ field: "directory", text: fault, isNoRepository: false });
    const chosen = { ...form, agent };
    const sent = isEmpty ? [] : attachments;
    const tooLarge = sendRefusal(chosen.prompt, sent);
    if (tooLarge !== null) return refuse(elsewhere(tooLarge));
    const request = requestOf(chosen, { isEmpty, userHome, attachments: sent });
    if (request === null || isStarting) return;
    setStarting(true);
    setRefusal(null);
    draft.write(chosen);
    try {
      const key = draft.keyFor(
        request,
        sent.map(({ id }) => id),
      );
      const session = await client.createSession(request, { key });
      draft.taken(key, chosen);
      clear({ attachments: sent, files: [] });
      sessions.put(session);
      navigate(sessionPath(session.id));
    } catch (error) {
      refuse(refusalOf(error));
      setStarting(false);
    }
  };
  return {
    form,
    agent,
    agents: view,
    known,
    directories: recentDirectories(draft.read().directories, known),
    where,
    isKept,
    isOld,
    isStarting,
    attached,
    change,
    start,
    /** What is said beside a field, or beside none. */
    refusalAt: (field: Refusal["field"]): Refusal | null =>
      refusal?.field === field ? refusal : null,
  };
};
