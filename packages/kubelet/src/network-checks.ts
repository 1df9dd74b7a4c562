import { answer, type CheckInstance, type PreflightCheck, pathName } from './preflight-check.ts';
import { httpsProxyForHost } from './proxy-for-host.ts';

/** Any port will do to ask whether a proxy is used; kubeadm asks with this one. */
const proxyProbePort = '1234';

/** Whether proxy settings would lead traffic inside the cluster astray. */
export const proxyChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_PROXY',
    batch: 'node',
    hint: 'Add the address to NO_PROXY',
    instances: ({ advertiseAddress, join }) => {
      const host = join === undefined ? advertiseAddress : join.apiServerHost;
      return host === undefined ? [] : [proxyCheck(host)];
    },
  },
  {
    code: 'PREFLIGHT_PROXY',
    batch: 'node',
    hint: 'Add the address range to NO_PROXY',
    instances: ({ subnets }) =>
      subnets.map(({ cidr, firstAddress }) => ({
        name: 'HTTPProxyCIDR',
        needs: [{ fact: 'proxyEnvironment' }],
        evaluate: ({ proxyEnvironment }) => {
          const proxy = httpsProxyForHost(answer(proxyEnvironment), firstAddress, proxyProbePort);
          return proxy === undefined
            ? {}
            : {
                warnings: [
                  `connection to "${cidr}" uses proxy "${proxy}". This may lead to malfunctional cluster setup: exempt Pod and Service IP ranges in the proxy configuration`,
                ],
              };
        },
      })),
  },
];

/** A check that no proxy stands between this machine and an API server. */
function proxyCheck(address: string): CheckInstance {
  return {
    name: 'HTTPProxy',
    needs: [{ fact: 'proxyEnvironment' }],
    evaluate: ({ proxyEnvironment }) => {
      const isIPv6 = address.includes(':');
      const proxy = httpsProxyForHost(answer(proxyEnvironment), address, isIPv6 ? proxyProbePort : undefined);
      const host = isIPv6 ? `[${address}]:${proxyProbePort}` : address;
      return proxy === undefined
        ? {}
        : {
            warnings: [
              `Connection to "https://${host}" uses proxy "${proxy}". If that is not intended, adjust your proxy settings`,
            ],
          };
    },
  };
}

const forwardingFiles = {
  ipv4: '/proc/sys/net/ipv4/ip_forward',
  ipv6: '/proc/sys/net/ipv6/conf/default/forwarding',
} as const;

/** Whether the kernel forwards packets, for each IP family in use. */
export const forwardingChecks: readonly PreflightCheck[] = [
  {
    code: 'PREFLIGHT_FORWARDING',
    batch: 'node',
    hint: 'Set it with `sysctl -w` and in /etc/sysctl.d',
    instances: ({ families }) =>
      (['ipv4', 'ipv6'] as const)
        .filter((family) => families.includes(family))
        .map((family) => {
          const path = forwardingFiles[family];
          return {
            name: pathName('FileContent', path),
            needs: [{ fact: 'text', path }],
            evaluate: ({ texts }) => {
              const text = texts?.[path];
              if (text === undefined) return { errors: [`${path} does not exist`] };
              return text.startsWith('1') ? {} : { errors: [`${path} contents are not set to 1`] };
            },
          };
        }),
  },
];
