/** Configurations of arguments, environment and volumes. */
import { args, type ConfigurationRow, local } from './exact-configuration.ts';

export const settings: Readonly<Record<string, ConfigurationRow>> = {
  'arguments in order, twice, and odd ones': {
    cluster: {
      apiServer: {
        extraArgs: args(
          'zz-last=1',
          'service-account-issuer=https://issuer.example.com',
          'service-account-issuer=https://kubernetes.default.svc.cluster.local',
          'aa-first=',
          'tls-cert-file=/x.crt',
          'zz-last=2',
          'feature-gates=A=true,B=false',
          '--dashed=x',
          'Upper-Case=y',
          `sentence=${'many words '.repeat(20)}end: # here`,
        ),
      },
      controllerManager: { extraArgs: args('node-cidr-mask-size=25', 'controllers=*', 'bind-address=0.0.0.0') },
      scheduler: { extraArgs: args('bind-address=::', 'v=2', 'bind-address=') },
    },
  },
  'structured authorization': { cluster: { apiServer: { extraArgs: args('authorization-config=/etc/x.yaml') } } },
  'authorization modes, one unknown': {
    cluster: { apiServer: { extraArgs: args('authorization-mode=Webhook,Bogus') } },
  },
  // We quote `=`, `<<` and line separators too; readers see the same, and so do the measured cases.
  'values that YAML 1.1 takes for something else': {
    cluster: {
      scheduler: {
        extraEnvs: [
          ...[
            'on',
            'y',
            'No',
            '0640',
            '0o17',
            '0b11',
            'null',
            '~',
            '1e3',
            '0x1F',
            '12:30:45',
            '2026-01-02',
            '1_000',
            '.inf',
            '',
            ' a',
            'a\nb',
            '\u00e9',
            '\ud83d\ude80',
            '\u0085',
            '\t',
          ],
        ].map((value, index) => ({ name: `V_${index}`, value })),
      },
    },
  },
  'environment from elsewhere': {
    cluster: {
      apiServer: {
        extraEnvs: [
          { name: 'FIELD', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
          { name: 'OTHER_FIELD', valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'spec.nodeName' } } },
          { name: 'RESOURCE', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
          {
            name: 'PARTS',
            valueFrom: { resourceFieldRef: { containerName: 'c', resource: 'limits.memory', divisor: '1024Ki' } },
          },
          { name: 'MAP', valueFrom: { configMapKeyRef: { name: 'm', key: 'k', optional: true } } },
          { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
          { name: 'NAMELESS', valueFrom: { secretKeyRef: { key: 'k' } } },
          { name: 'FILE', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } },
          { name: 'BOTH', value: 'v', valueFrom: { fieldRef: { fieldPath: 'a' } } },
          { name: 'EMPTY', valueFrom: {} },
        ],
      },
    },
  },
  'names of variables that are none, and again': {
    cluster: {
      controllerManager: {
        extraEnvs: [
          { name: '1BAD NAME', value: 'x' },
          { name: 'lower', value: '1' },
          { name: '_', value: '2' },
          { name: 'A', value: '3' },
          { name: 'A', value: '4' },
          { name: '\u00e9', value: '5' },
        ],
      },
    },
  },
  'host paths of every type': {
    cluster: {
      apiServer: {
        extraVolumes: [
          '',
          'DirectoryOrCreate',
          'Directory',
          'FileOrCreate',
          'File',
          'Socket',
          'CharDevice',
          'BlockDevice',
        ].map((pathType, index) => ({
          name: `v-${9 - index}`,
          hostPath: `/srv/${index}`,
          mountPath: `/m/${index}`,
          readOnly: index % 2 === 0,
          pathType,
        })),
      },
    },
  },
  'host paths in place of ours': {
    cluster: {
      apiServer: { extraVolumes: [{ name: 'k8s-certs', hostPath: '/opt/pki', mountPath: '/etc/kubernetes/pki' }] },
      controllerManager: {
        extraVolumes: [{ name: 'kubeconfig', hostPath: '/opt/a', mountPath: '/a', pathType: 'File' }],
      },
      scheduler: {
        extraVolumes: [
          { name: 'twice', hostPath: '/opt/1', mountPath: '/1', readOnly: true },
          { name: 'twice', hostPath: '/opt/2', mountPath: '/2' },
        ],
      },
    },
  },
  'proxies in the environment': {
    environment: {
      HTTPS_PROXY: 'http://p.example.com:3128',
      no_proxy: '10.0.0.0/8,.example.com',
      Http_Proxy: 'x',
      empty_proxy: '',
      MY_CUSTOM_PROXY: '1',
      PROXY: '2',
      _proxy: '3',
      proxy_url: '4',
    },
    cluster: {
      scheduler: { extraEnvs: [{ name: 'no_proxy', value: 'mine' }] },
      ...local({ extraEnvs: [{ name: 'A', value: '1' }] }),
    },
  },
  'a feature gate that is off': { cluster: { featureGates: { RootlessControlPlane: false } } },
};
