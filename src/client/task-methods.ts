/** The part of the client that is about tasks. */
import type { TaskEvent } from "../contract/task/task-event.ts";
import type {
  ApplyTaskInput,
  ChangeTaskRequest,
  ContextInput,
  RetryTaskRequest,
  RunTaskRequest,
} from "../contract/api/task-request.ts";
import {
  call,
  type CallName,
  type Given,
  type Keyed,
  type Server,
} from "./call.ts";

export const taskMethods = (server: Server) => {
  const ask = <N extends CallName>(name: N, given: Given<N>) =>
    call(server, name, given);
  return {
    createTask: (body: Given<"createTask">["body"], { key }: Keyed = {}) =>
      ask("createTask", { body, key }),
    listTasks: (query: Given<"listTasks">["query"] = {}) =>
      ask("listTasks", { query }),
    showTask: (id: string) => ask("showTask", { params: { id } }),
    showTaskByName: (name: string) =>
      ask("showTaskByName", { params: { name } }),
    /** Makes the task with this name what is described, or creates it. */
    applyTask: (name: string, body: ApplyTaskInput) =>
      ask("applyTask", { params: { name }, body }),
    /** An attempt that stopped at its budget goes on when that is raised. */
    changeTask: (id: string, { key, ...body }: Keyed & ChangeTaskRequest) =>
      ask("changeTask", { params: { id }, body, key }),
    runTask: (id: string, { key, ...body }: Keyed & RunTaskRequest = {}) =>
      ask("runTask", { params: { id }, body, key }),
    retryTask: (id: string, { key, ...body }: Keyed & RetryTaskRequest = {}) =>
      ask("retryTask", { params: { id }, body, key }),
    addContext: (id: string, { key, ...body }: Keyed & ContextInput) =>
      ask("addContext", { params: { id }, body, key }),
    finishTask: (id: string, { key }: Keyed = {}) =>
      ask("finishTask", { params: { id }, body: {}, key }),
    cancelTask: (id: string, { key }: Keyed = {}) =>
      ask("cancelTask", { params: { id }, body: {}, key }),
    deleteTask: (id: string) => ask("deleteTask", { params: { id } }),
    purgeTask: (id: string, { key }: Keyed = {}) =>
      ask("purgeTask", { params: { id }, body: {}, key }),
    undeleteTask: (id: string, { key }: Keyed = {}) =>
      ask("undeleteTask", { params: { id }, body: {}, key }),
    listAttempts: (id: string) => ask("listAttempts", { params: { id } }),
    listTaskEvents: async (
      id: string,
      query: Given<"listTaskEvents">["query"] = {},
    ): Promise<{ events: TaskEvent[]; next: string | null }> => {
      const page = await ask("listTaskEvents", { params: { id }, query });
      return {
        events: page.events.map((each) => server.reading.taskEvent(each)),
        next: page.next,
      };
    },
  };
};
