/** Prompts and executions hold the label of somebody's credentials, never the credentials. */
export const credentialsLabel = (
  labelled: { credentials?: string | undefined } | undefined,
): { credentials?: string } =>
  labelled?.credentials === undefined
    ? {}
    : { credentials: labelled.credentials };
