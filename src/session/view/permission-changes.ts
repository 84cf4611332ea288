import type { Event } from "../../contract/event/event.ts";
import type { PermissionChange } from "../../contract/agent/permission.ts";

/** What these events change about permission requests, in order. */
export const permissionChanges = (
  events: readonly Event[],
): PermissionChange[] => events.flatMap(permissionChange);

const permissionChange = (event: Event): PermissionChange[] => {
  switch (event.type) {
    case "session.permission.requested": {
      const { id, state } = event.data.permission;
      return [{ id, state, option_id: null, reason: null, seq: event.seq }];
    }
    case "session.permission.answered": {
      const { id, option_id } = event.data;
      return [{ id, state: "answered", option_id, reason: null }];
    }
    case "session.permission.closed": {
      const { id, reason } = event.data;
      return [{ id, state: "closed", option_id: null, reason }];
    }
    default:
      return [];
  }
};
