/** The content of a prompt, as it was given: images and all. The state names the event that holds it. */
import type { ContentBlock } from "../../contract/base/content.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { contentOf } from "../../session/state/snapshot.ts";
import type { Store } from "../ports/store.ts";

export const promptContent = async (
  store: Pick<Store, "events">,
  session: SessionId,
  seq: number,
): Promise<readonly ContentBlock[]> => {
  const [event] = await store.events(session, seq - 1, 1);
  if (event?.seq !== seq)
    throw new Error(`event ${seq} of session ${session} was not read`);
  return contentOf(event);
};
