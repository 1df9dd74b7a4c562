import { discovery, file, join, kubeadmDocument, pin, type Row, reset, token, upgrade } from './document-makers.ts';

const joins: readonly Row[] = [
  ['join', join()],
  ['join of a control plane node', join('controlPlane: {}')],
  ['a port of the control plane node', join('controlPlane: {localAPIEndpoint: {bindPort: 70000}}')],
  ['an address of the control plane node', join('controlPlane: {localAPIEndpoint: {advertiseAddress: x}}')],
  ['a key of the control plane node', join('controlPlane: {certificateKey: 00}')],
  ['a relative CA path', join('caCertPath: ca.crt')],
  ['a CA path with another ending', join('caCertPath: /etc/ca.pem')],
  ['a node name of join', join('nodeRegistration: {name: a_b}')],
  ['taints of join', join('nodeRegistration: {taints: [], imagePullPolicy: x}')],
  ['no discovery', kubeadmDocument('JoinConfiguration')],
  ['a TLS token alone', kubeadmDocument('JoinConfiguration', `discovery: {tlsBootstrapToken: ${token}}`)],
  [
    'both ways of discovery',
    kubeadmDocument(
      'JoinConfiguration',
      `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "a:1", ${pin}}, file: {kubeConfigPath: /etc/hostname}}`,
    ),
  ],
  ['no endpoint', discovery(`token: ${token}, ${pin}`)],
  ['an endpoint without port', discovery(`token: ${token}, apiServerEndpoint: a, ${pin}`)],
  ['an endpoint with a blank', discovery(`token: ${token}, apiServerEndpoint: " A:1", ${pin}`)],
  ['an IPv6 endpoint', discovery(`token: ${token}, apiServerEndpoint: "[2001:db8::1]:6443", ${pin}`)],
  ['an IPv6 endpoint without brackets', discovery(`token: ${token}, apiServerEndpoint: "2001:db8::1", ${pin}`)],
  ['an endpoint that is a URL', discovery(`token: ${token}, apiServerEndpoint: "https://a:6443", ${pin}`)],
  ['an endpoint with a port that is none', discovery(`token: ${token}, apiServerEndpoint: "a:b", ${pin}`)],
  ['no pin', discovery(`token: ${token}, apiServerEndpoint: "a:1"`)],
  ['no pin on purpose', discovery(`token: ${token}, apiServerEndpoint: "a:1", unsafeSkipCAVerification: true`)],
  ['a pin that is none', discovery(`token: ${token}, apiServerEndpoint: "a:1", caCertHashes: [x]`)],
  ['no token', discovery(`apiServerEndpoint: "a:1", ${pin}`)],
  ['a bad token for discovery', discovery(`token: a.b, apiServerEndpoint: "a:1", ${pin}`)],
  [
    'a TLS token of its own',
    kubeadmDocument(
      'JoinConfiguration',
      `discovery: {bootstrapToken: {token: ${token}, apiServerEndpoint: "a:1", ${pin}}, tlsBootstrapToken: x}`,
    ),
  ],
  ['an empty section for the token', discovery('')],
  ['a file', file('/etc/hostname')],
  ['a file URL', file('"file:///etc/hostname"')],
  ['a file URL with an escape', file('"file:///etc/%68ostname"')],
  ['an opaque file URL', file('"file:etc"')],
  ['a file that is missing', file('/nonexistent/a')],
  ['no path', file('""')],
  ['an HTTPS URL', file('"https://example.com/a"')],
  ['an HTTP URL', file('"http://example.com/a"')],
  ['a path that is no URL', file('"/a%zz"')],
  [
    'a file and a bad TLS token',
    kubeadmDocument('JoinConfiguration', 'discovery: {file: {kubeConfigPath: /etc/hostname}, tlsBootstrapToken: x}'),
  ],
];

const resets: readonly Row[] = [
  ['reset', reset()],
  ['a socket of reset without scheme', reset('criSocket: /run/x.sock')],
  ['a socket of reset of another scheme', reset('criSocket: "unixtcp://a"')],
  ['a relative folder of reset', reset('certificatesDir: a')],
  ['unmount flags', reset('unmountFlags: [MNT_FORCE, MNT_DETACH, MNT_EXPIRE, UMOUNT_NOFOLLOW]')],
  ['unknown unmount flags', reset('unmountFlags: [MNT_FORCE, mnt_detach, X]')],
  [
    'everything of reset',
    reset(
      'cleanupTmpDir: true',
      'dryRun: true',
      'force: true',
      'ignorePreflightErrors: [all, A]',
      'skipPhases: [x]',
      'timeouts: {etcdAPICall: 0.5h}',
    ),
  ],
  ['upgrade', upgrade()],
  ['a relative patch folder of apply', upgrade('apply: {patches: {directory: a}}')],
  ['no patch folder of apply', upgrade('apply: {patches: {}}')],
  ['a relative patch folder of node', upgrade('node: {patches: {directory: ./a}}')],
  ['pull policies', upgrade('apply: {imagePullPolicy: x}', 'node: {imagePullPolicy: "never"}')],
  ['a version of upgrade that is none', upgrade('apply: {kubernetesVersion: x}', 'plan: {kubernetesVersion: y}')],
  ['context lines', upgrade('diff: {contextLines: -3}')],
  [
    'everything of upgrade',
    upgrade(
      'apply: {kubernetesVersion: v1.37.2, allowExperimentalUpgrades: true, allowRCUpgrades: false, certificateRenewal: false, dryRun: true, etcdUpgrade: false, forceUpgrade: true, ignorePreflightErrors: [A], patches: {directory: /p}, printConfig: true, skipPhases: [x], imagePullPolicy: Always, imagePullSerial: false}',
      'diff: {kubernetesVersion: v1, contextLines: 5}',
      'node: {certificateRenewal: false, dryRun: false, etcdUpgrade: false, ignorePreflightErrors: [], skipPhases: [y], patches: {directory: /q}, imagePullPolicy: Never, imagePullSerial: false}',
      'plan: {kubernetesVersion: a, allowExperimentalUpgrades: false, allowRCUpgrades: true, dryRun: true, etcdUpgrade: false, ignorePreflightErrors: [B], printConfig: false}',
      'timeouts: {upgradeManifests: 90s}',
    ),
  ],
];

/** Documents of join, reset and upgrade. */
export const commandRows: readonly Row[] = [...joins, ...resets];
