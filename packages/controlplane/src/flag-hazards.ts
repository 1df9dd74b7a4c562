import type { Severity } from '@groundplane/errors';
import type { Container, Probe } from '@groundplane/manifest';
import type { ControlPlaneComponent, ControlPlaneFacts } from './control-plane-facts.ts';
import { etcdClientURL, loopbackOf } from './etcd-urls.ts';
import type { FlagValues } from './flag-values.ts';

/** Flags that a component does not start with, or that open it. */
export interface FlagHazard {
  readonly code:
    | 'CONTROLPLANE_AUTHORIZATION_OPEN'
    | 'CONTROLPLANE_AUTHORIZATION_UNJUDGED'
    | 'CONTROLPLANE_FLAG_CONFLICT'
    | 'CONTROLPLANE_FLAG_UNKNOWN'
    | 'CONTROLPLANE_PROBE_REFUSED';
  readonly severity: Severity;
  /** The flags in question; where the configuration gives them the same values it is what the user asks for. */
  readonly flags: readonly string[];
  /** What is asked for instead, as a sentence. */
  readonly demand: string;
  /** What is wrong, after "as". */
  readonly problem: (flags: FlagValues, container: Container, facts: ControlPlaneFacts) => string | undefined;
}

/** Gone from Kubernetes long before v1.37, and never in etcd; each component answers `unknown flag` (tried with the real ones). */
const goneEverywhere = ['address', 'port', 'insecure-port', 'insecure-bind-address'];
const goneFromAPIServer = ['basic-auth-file', 'insecure-allow-any-token', 'kubelet-https', 'cloud-provider'];

function gone(flags: readonly string[]): FlagHazard {
  return {
    code: 'CONTROLPLANE_FLAG_UNKNOWN',
    severity: 'error',
    flags,
    demand: `It has no flag that the component does not know, and so does not start with: ${flags.map((flag) => `--${flag}`).join(', ')}`,
    problem: (given) => {
      const found = flags.filter((flag) => given.has(flag));
      return found.length === 0
        ? undefined
        : `it does not start with a flag that it does not know: ${found.map((flag) => `--${flag}`).join(', ')}`;
    },
  };
}

const alwaysAllow = 'AlwaysAllow';
const nodeRestriction = 'NodeRestriction';

/** By what the components of v1.37 do (kube-apiserver: pkg/kubeapiserver/options). */
export const flagHazards: Readonly<Record<ControlPlaneComponent, readonly FlagHazard[]>> = {
  etcd: [
    gone(goneEverywhere),
    {
      code: 'CONTROLPLANE_FLAG_CONFLICT',
      severity: 'error',
      flags: ['initial-cluster', 'name', 'initial-advertise-peer-urls'],
      demand:
        'Its --initial-cluster, if it is there, has the member of its --name at its --initial-advertise-peer-urls; without it a new member does not start',
      problem: (given) => {
        const members = itemsOf(given, 'initial-cluster');
        const name = given.get('name')?.at(-1) ?? 'default';
        const own = members.filter((member) => member.startsWith(`${name}=`));
        const missing = itemsOf(given, 'initial-advertise-peer-urls').filter((url) => !own.includes(`${name}=${url}`));
        if (members.length === 0 || (own.length > 0 && missing.length === 0)) return undefined;
        const wanted = (missing.length === 0 ? ['URL'] : missing).map((url) => `${name}=${url}`).join(',');
        return `--initial-cluster must have ${wanted}, its own --name and --initial-advertise-peer-urls: ${members.join(',')}`;
      },
    },
  ],
  'kube-apiserver': [
    gone([...goneEverywhere, ...goneFromAPIServer]),
    {
      code: 'CONTROLPLANE_FLAG_CONFLICT',
      severity: 'error',
      flags: ['authorization-config', 'authorization-mode'],
      demand: 'It has --authorization-mode or --authorization-config and not both, with which it does not start',
      problem: (given) =>
        given.has('authorization-config') && given.has('authorization-mode')
          ? 'it does not start with both --authorization-mode and --authorization-config'
          : undefined,
    },
    {
      code: 'CONTROLPLANE_FLAG_CONFLICT',
      severity: 'error',
      flags: ['enable-admission-plugins', 'disable-admission-plugins'],
      demand: `Its --disable-admission-plugins does not hold ${nodeRestriction}`,
      problem: (given) =>
        itemsOf(given, 'disable-admission-plugins').includes(nodeRestriction)
          ? `--disable-admission-plugins must not hold ${nodeRestriction}, which keeps a node from the objects of others, and is not to be in both lists`
          : undefined,
    },
    {
      code: 'CONTROLPLANE_FLAG_CONFLICT',
      severity: 'error',
      flags: ['etcd-servers'],
      demand: 'Those of its --etcd-servers that are on this node are URLs at which the local etcd listens for clients',
      problem: (given, _, { advertiseAddress, etcd }) => {
        if (etcd.external !== undefined) return undefined;
        const own = [loopbackOf(advertiseAddress), advertiseAddress];
        const listening = own.map(etcdClientURL);
        const astray = itemsOf(given, 'etcd-servers').filter((url) => {
          const host = URL.parse(url)?.hostname.replace(/^\[(.*)\]$/, '$1');
          return (
            host === undefined ||
            ([...own, 'localhost'].includes(host) && !listening.includes(url.replace('//localhost:', `//${own[0]}:`)))
          );
        });
        if (astray.length === 0) return undefined;
        return `--etcd-servers must lead to the local etcd, which listens at ${listening.join(' and ')}: ${astray.join(',')}`;
      },
    },
    {
      code: 'CONTROLPLANE_AUTHORIZATION_OPEN',
      severity: 'warning',
      flags: ['authorization-mode'],
      demand: `Its --authorization-mode does not hold ${alwaysAllow}, by which everybody with any credentials may do everything`,
      problem: (given) =>
        isOpen(given)
          ? `--authorization-mode holds ${alwaysAllow}, so that everybody with any credentials may do everything`
          : undefined,
    },
    {
      code: 'CONTROLPLANE_AUTHORIZATION_UNJUDGED',
      severity: 'warning',
      flags: ['authorization-config'],
      demand:
        'It has no --authorization-config: the file may grant what it likes, is not looked at, and must hold Node and RBAC',
      problem: (given) =>
        given.has('authorization-config')
          ? `the file of --authorization-config is not looked at, and must hold Node and RBAC: ${given.get('authorization-config')?.at(-1)}`
          : undefined,
    },
    {
      code: 'CONTROLPLANE_PROBE_REFUSED',
      severity: 'error',
      flags: ['anonymous-auth', 'authorization-mode'],
      demand: `Where its probes ask by HTTP without credentials, --anonymous-auth is not false and --authorization-mode does not hold ${alwaysAllow}, which switches anonymous requests off too: the kubelet would be answered 401 and start it again and again`,
      problem: (given, container) => {
        if (!hasAnonymousProbe(container)) return undefined;
        const result = 'so that it answers its own probes 401, and the kubelet starts it again and again';
        if (isOpen(given))
          return `--authorization-mode holds ${alwaysAllow}, which switches anonymous requests off, ${result}`;
        return isFalse(given.get('anonymous-auth')?.at(-1)) ? `--anonymous-auth is false, ${result}` : undefined;
      },
    },
  ],
  'kube-controller-manager': [gone(goneEverywhere)],
  'kube-scheduler': [gone([...goneEverywhere, 'algorithm-provider', 'policy-config-file'])],
};

function itemsOf(flags: FlagValues, name: string): readonly string[] {
  return (
    flags
      .get(name)
      ?.at(-1)
      ?.split(',')
      .filter((item) => item !== '') ?? []
  );
}

function isOpen(flags: FlagValues): boolean {
  return itemsOf(flags, 'authorization-mode').includes(alwaysAllow);
}

/** As Go reads booleans (strconv.ParseBool). */
function isFalse(value: string | undefined): boolean {
  return value !== undefined && ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value);
}

function hasAnonymousProbe({ startupProbe, livenessProbe }: Container): boolean {
  return [startupProbe, livenessProbe].some((probe) => {
    const request = (probe as Probe | undefined)?.httpGet as { readonly httpHeaders?: unknown } | undefined;
    if (typeof request !== 'object' || request === null) return false;
    const headers = Array.isArray(request.httpHeaders) ? request.httpHeaders : [];
    return !headers.some((header) => String(header?.name).toLowerCase() === 'authorization');
  });
}
