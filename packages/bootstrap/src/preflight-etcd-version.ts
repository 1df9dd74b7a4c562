import { messageOf } from '@groundplane/errors';
import type { FactRequest, PreflightFacts } from '@groundplane/kubelet';
import type { Clock, Host, ProbeTrust } from '@groundplane/phases';

/** kubeadm, preflight/checks.go: externalEtcdRequest… */
const timeoutMs = 10_000;
const pauseMs = 5_000;

type Request = FactRequest & { readonly fact: 'etcdVersion' };
type Answer = NonNullable<PreflightFacts['etcdVersions']>[string];

/**
 * Asks external etcd which version it is, again while it does not answer or says that it cannot.
 *
 * @param sources.etcdAttempts how often it is asked; in between are five seconds
 */
export async function externalEtcdVersion(
  request: Request,
  { host, clock, etcdAttempts }: { readonly host: Host; readonly clock: Clock; readonly etcdAttempts: number },
): Promise<Answer> {
  const trust = await trustOf(request, host);
  if ('error' in trust) return trust;
  const url = versionUrl(request.endpoint);
  if (url === undefined) return { error: 'the endpoint is no URL' };
  for (let attempt = 1; ; attempt += 1) {
    const { status, text } = await host.probe(url, { timeoutMs, trust }).catch((error: unknown) => ({
      status: undefined,
      text: messageOf(error),
    }));
    if (status !== undefined && status < 500) return versionIn(text);
    if (attempt >= etcdAttempts) {
      return { error: status === undefined ? text : `server responded with non-successful status: ${status}` };
    }
    await clock.sleep(pauseMs);
  }
}

/** `//` in the path counts as `/`, as an endpoint may end with one. */
function versionUrl(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(`${endpoint}/version`);
  url.pathname = url.pathname.replaceAll('//', '/');
  return url.href;
}

function versionIn(text: string): Answer {
  try {
    const { etcdserver } = JSON.parse(text);
    return { version: typeof etcdserver === 'string' ? etcdserver : '' };
  } catch {
    return { error: 'the answer is no JSON document' };
  }
}

async function trustOf(
  { caFile, certFile, keyFile }: Request,
  { facts }: Host,
): Promise<ProbeTrust | { readonly error: string }> {
  const read = async (path: string | undefined) => (path === undefined ? undefined : await facts.kernelFile(path));
  const authority = await read(caFile);
  if (caFile !== undefined && authority === undefined) {
    return { error: `couldn't load external etcd's server certificate ${caFile}` };
  }
  const trust = authority === undefined ? {} : { authority };
  if (certFile === undefined || keyFile === undefined) return trust;
  const [certificate, key] = [await read(certFile), await read(keyFile)];
  if (certificate === undefined || key === undefined) {
    return { error: `couldn't load external etcd's certificate and key pair ${certFile}, ${keyFile}` };
  }
  return { ...trust, client: { certificate, key } };
}
