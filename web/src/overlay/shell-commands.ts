/** Commands that are copied into a terminal: of a session, or of the machine. */
export const shellCommands = (session: string | null): string[] =>
  session === null
    ? ["reprise session list", "reprise agents", "reprise doctor"]
    : [
        `reprise session show ${session}`,
        `reprise session resume ${session}`,
        `reprise session status ${session}`,
        `reprise session messages ${session}`,
        `reprise session diff ${session}`,
        `reprise session fork ${session}`,
        `reprise session export ${session}`,
      ];
