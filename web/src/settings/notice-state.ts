/** Whether this browser shows notices, and what to do where it does not. */
export type NoticeState = "none" | "default" | "granted" | "denied";

export const noticeState = (window: {
  Notification?: { permission: NotificationPermission };
}): NoticeState => window.Notification?.permission ?? "none";

export const noticeWords: Record<NoticeState, string> = {
  none: "This browser shows notices only to pages of its own machine and to https. Open the page there to get them.",
  default:
    "Get a notice when an agent asks something, stops or has finished while nobody looks at its session.",
  granted:
    "You get a notice when an agent asks something, stops or has finished while nobody looks at its session. One tab of several speaks, so keep one open.",
  denied:
    "This browser blocks notices of this page. Allow them in its settings for this address, beside the address bar, and load the page again.",
};
