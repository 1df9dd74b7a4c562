/** What is wanted of the audit log: each request once, without its body. */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`;

export interface ApiRequest {
  readonly verb: string;
  /** The API group and version, as in manifests; absent, with the rest, for requests that are for no object. */
  readonly apiVersion?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path: string;
}

interface AuditEvent {
  readonly userAgent?: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
}

/** The requests of one program in a log of the API server, one event a line. */
export function requestsOf(log: string, userAgent: string): readonly ApiRequest[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter((event) => event.userAgent === userAgent)
    .map(({ verb, requestURI, objectRef }) => {
      const path = requestURI.replace(/\?.*$/, '');
      if (objectRef === undefined) return { verb, path };
      const { resource, namespace, name, apiGroup, apiVersion = '' } = objectRef;
      return {
        verb,
        path,
        apiVersion: apiGroup === undefined ? apiVersion : `${apiGroup}/${apiVersion}`,
        ...(resource === undefined ? {} : { resource }),
        ...(namespace === undefined ? {} : { namespace }),
        ...(name === undefined ? {} : { name }),
      };
    });
}
