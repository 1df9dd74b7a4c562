import { isGroundplaneError } from '@groundplane/errors';
import { describe, expect, it } from 'vitest';
import { clusterDocument, initDocument } from '../test/sample-host.ts';
import { readInitConfiguration } from './read-configuration.ts';

function refusedPaths(text: string): readonly string[] {
  try {
    readInitConfiguration(text);
    return [];
  } catch (thrown) {
    if (!isGroundplaneError(thrown)) throw thrown;
    return thrown.findings.map((finding) => finding.artifact);
  }
}

const network = (field: string, value: string, ...more: readonly string[]) =>
  clusterDocument(`networking: {${field}: "${value}"}`, ...more);
const controllerArgument = (name: string, value: string) =>
  `controllerManager: {extraArgs: [{name: ${name}, value: "${value}"}]}`;
const token = (fields: string) => initDocument(`bootstrapTokens: [{${fields}}]`);
const external = (fields: string) => clusterDocument(`etcd: {external: {${fields}}}`);

describe('rules', () => {
  it.each([
    ['the largest service range', network('serviceSubnet', '10.96.0.0/12'), []],
    ['a service range that is too large', network('serviceSubnet', '10.96.0.0/11'), ['networking.serviceSubnet']],
    ['the smallest service range', network('serviceSubnet', '10.96.0.0/28'), []],
    ['a service range that is too small', network('serviceSubnet', '10.96.0.0/29'), ['networking.serviceSubnet']],
    ['the largest IPv6 service range', network('serviceSubnet', 'fd00::/108'), []],
    ['an IPv6 service range that is too large', network('serviceSubnet', 'fd00::/107'), ['networking.serviceSubnet']],
    ['everything', network('serviceSubnet', '0.0.0.0/0'), ['networking.serviceSubnet', 'networking.serviceSubnet']],
    ['both families', network('serviceSubnet', '10.96.0.0/16,fd00::/112'), []],
    ['one family twice', network('serviceSubnet', '10.96.0.0/16,10.97.0.0/16'), ['networking.serviceSubnet']],
    ['a blank between ranges', network('serviceSubnet', '10.96.0.0/16, fd00::/112'), ['networking.serviceSubnet']],
    ['a pod range', network('podSubnet', '10.244.0.0/16'), []],
    ['a pod range smaller than a node', network('podSubnet', '10.244.0.0/25'), ['networking.podSubnet']],
    ['a pod range much larger than a node', network('podSubnet', '10.0.0.0/7'), ['networking.podSubnet']],
    [
      'a pod range without node ranges',
      network('podSubnet', '10.244.0.0/25', controllerArgument('allocate-node-cidrs', 'false')),
      [],
    ],
    [
      'a node mask of its own',
      network('podSubnet', '10.244.0.0/25', controllerArgument('node-cidr-mask-size-ipv4', '26')),
      [],
    ],
    [
      'a node mask that is no number',
      network('podSubnet', '10.244.0.0/16', controllerArgument('node-cidr-mask-size-ipv4', 'x')),
      ['networking.podSubnet'],
    ],
    ['an upper-case domain', network('dnsDomain', 'Cluster.local'), ['networking.dnsDomain']],
    ['a relative folder', clusterDocument('certificatesDir: pki'), ['certificatesDir']],
    ['an unknown gate', clusterDocument('featureGates: {Nothing: true}'), ['featureGates']],
    ['an unknown algorithm', clusterDocument('encryptionAlgorithm: RSA-1024'), ['encryptionAlgorithm']],
    [
      'an image repository with a slash at the end',
      clusterDocument('imageRepository: example.com/k8s/'),
      ['imageRepository'],
    ],
    ['an image repository with a port', clusterDocument('imageRepository: "example.com:5000/k8s"'), []],
    [
      'an image repository with a scheme',
      clusterDocument('dns: {imageRepository: "https://example.com"}'),
      ['dns.imageRepository'],
    ],
    [
      'names with and without wildcard',
      clusterDocument('apiServer: {certSANs: ["A.example.com", "*.example.com", "2001:DB8::1"]}'),
      [],
    ],
    [
      'a name with an underscore',
      clusterDocument('apiServer: {certSANs: [my_host, ""]}'),
      ['apiServer.certSANs', 'apiServer.certSANs'],
    ],
    ['an argument without a name', clusterDocument('scheduler: {extraArgs: [{value: x}]}'), ['scheduler.extraArgs']],
    [
      'an old version',
      initDocument().replace('Init', 'Cluster').concat('kubernetesVersion: v1.35.9\n'),
      ['kubernetesVersion'],
    ],
    [
      'a pre-release of the oldest version',
      clusterDocument().replace('v1.37.2', 'v1.36.0-rc.1'),
      ['kubernetesVersion'],
    ],
    ['both kinds of etcd', clusterDocument('etcd: {local: {}, external: {endpoints: ["https://e:2379"]}}'), ['etcd']],
    [
      'external etcd',
      external('endpoints: ["https://e:2379"], caFile: /ca.crt, certFile: /c.crt, keyFile: /c.key'),
      [],
    ],
    ['external etcd without certificates', external('endpoints: ["http://e:2379"]'), []],
    ['http with a CA', external('endpoints: ["http://e:2379"], caFile: /ca.crt'), ['etcd.external.endpoints']],
    [
      'a certificate without its key',
      external('endpoints: ["https://e:2379"], caFile: /ca.crt, certFile: /c.crt'),
      ['etcd.external'],
    ],
    [
      'a certificate without a CA',
      external('endpoints: ["https://e:2379"], certFile: /c.crt, keyFile: /c.key'),
      ['etcd.external'],
    ],
    ['no endpoints', external('caFile: /ca.crt'), ['etcd.external.endpoints']],
    ['a relative file', external('endpoints: ["https://e:2379"], caFile: ca.crt'), ['etcd.external.caFile']],
    [
      'an address that is none',
      initDocument('localAPIEndpoint: {advertiseAddress: node-a}'),
      ['localAPIEndpoint.advertiseAddress'],
    ],
    ['a port out of range', initDocument('localAPIEndpoint: {bindPort: 65536}'), ['localAPIEndpoint.bindPort']],
    ['a node name with a dot at its end', initDocument('nodeRegistration: {name: node.}'), ['nodeRegistration.name']],
    ['a node name to be trimmed', initDocument('nodeRegistration: {name: "  NODE-A "}'), []],
    [
      'an unknown pull policy',
      initDocument('nodeRegistration: {imagePullPolicy: always}'),
      ['nodeRegistration.imagePullPolicy'],
    ],
    [
      'a socket of another scheme',
      initDocument('nodeRegistration: {criSocket: "unixish:///x"}'),
      ['nodeRegistration.criSocket'],
    ],
    ['a certificate key that is short', initDocument('certificateKey: 00ff00'), ['certificateKey']],
    ['a certificate key', initDocument(`certificateKey: ${'0a'.repeat(32)}`), []],
    ['usage signing alone', token('usages: [signing]'), ['bootstrapTokens.0.groups']],
    ['usage authentication alone', token('usages: [authentication]'), []],
    ['an unknown usage', token('usages: [Signing, authentication]'), ['bootstrapTokens.0.usages']],
    ['a foreign group', token('groups: ["system:masters"]'), ['bootstrapTokens.0.groups']],
    ['a group with a dash at its end', token('groups: ["system:bootstrappers:a-"]'), ['bootstrapTokens.0.groups']],
    ['a token that expires at a time', token('expires: "2030-01-01T00:00:00Z"'), ['bootstrapTokens.0']],
    ['a token that never expires', token('ttl: 0s'), []],
  ])('%s', (_name, text, paths) => {
    expect(refusedPaths(text)).toEqual(paths);
  });

  it('collects everything that is wrong', () => {
    expect(
      refusedPaths(
        `${clusterDocument('certificatesDir: pki', 'networking: {serviceSubnet: x, podSubnet: z}')}---\n${token('usages: [x]')}`,
      ).toSorted(),
    ).toEqual([
      'bootstrapTokens.0.groups',
      'bootstrapTokens.0.usages',
      'certificatesDir',
      'networking.podSubnet',
      'networking.serviceSubnet',
    ]);
  });
});

describe('warnings', () => {
  it.each([
    ['a long validity', clusterDocument('certificateValidityPeriod: 8761h'), ['certificateValidityPeriod']],
    [
      'a CA that lives shorter than its certificates',
      clusterDocument('caCertificateValidityPeriod: 1h'),
      ['certificateValidityPeriod'],
    ],
    ['site-local addresses', network('podSubnet', 'fec0::/64'), ['networking']],
    [
      'a socket without scheme',
      initDocument('nodeRegistration: {criSocket: /run/x.sock}'),
      ['nodeRegistration.criSocket'],
    ],
  ])('%s', (_name, text, artifacts) => {
    expect(readInitConfiguration(text).warnings.map((finding) => finding.artifact)).toEqual(artifacts);
  });
});
