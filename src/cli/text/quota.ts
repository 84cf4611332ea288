/** What people are told of quotas that are used up. */
import type { EventDataOf } from "../../contract/event/event.ts";
import type { Session, SessionStatus } from "../../contract/session/session.ts";
import { clockTime } from "../terminal/clock-time.ts";
import { oneLine } from "../terminal/sanitize.ts";

/** How a session stands with quotas; null where there is nothing to say. */
export const quotaWords = (
  { quota }: Pick<Session | SessionStatus, "quota">,
  now: Date,
): string | null => {
  const { used_up, stands_in_for, goes_on_at, prompts_wait_until } = quota;
  const times = used_up.map(({ agent, until, is_told }) => {
    const isOver = Date.parse(until) <= now.getTime();
    const when = clockTime(until, now);
    if (isOver) return `${agent}'s was used up until ${when}`;
    return is_told
      ? `${agent}'s is used up until ${when}`
      : `${agent}'s is used up, and it did not say until when; it counts as filled at ${when}`;
  });
  const parts = [
    ...times,
    ...(stands_in_for === null
      ? []
      : [`the session goes back to ${stands_in_for} when it can`]),
    ...(goes_on_at === null
      ? []
      : [`the turn goes on at ${clockTime(goes_on_at, now)}`]),
    ...(prompts_wait_until === null ? [] : ["prompts wait until then"]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
};

/** Why another agent goes on, as of the moment at which it does. */
export const handOverWords = (
  from: string,
  to: string,
  { why, until }: NonNullable<EventDataOf<"session.handed_off">["quota"]>,
  at: Date,
): string => {
  switch (why) {
    case "used_up":
      return `${from}'s quota is used up${until === null ? "" : ` until ${clockTime(until, at)}`}; ${to} goes on`;
    case "filled":
      return `${to}'s quota is filled again; the session goes back to it from ${from}`;
    case "failed":
      return `${from} could not be started; ${to} goes on`;
  }
};

export const passedOverWords = ({
  agent,
  message,
}: EventDataOf<"session.quota.passed_over">): string =>
  `${oneLine(agent)} cannot go on with it: ${oneLine(message)}`;
