/** What `/` says where no page is shown: to programs, and where the page was not built. */
export const welcome = (version: string, missing: string | null): string =>
  `Reprise ${version} is running.
${missing === null ? "" : `\n${missing}\n`}
Start a session with the demo agent and watch it:
  reprise session start "count 5 200" --agent demo --follow

Give it more work, see what there is:
  reprise session prompt SESSION_ID "remember colour=blue" --follow
  reprise session list
  reprise --help

The API is described at /openapi.json. It wants the header
"Authorization: Bearer TOKEN"; the token is in the file "token" of the home (~/.reprise).
`;
