import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, askPrograms } from './asked-programs.ts';
import { certificateFacts } from './certificate-facts.ts';
import { type InstalledPrograms, installPrograms } from './installed-programs.ts';
import { kubeconfigData } from './kubeconfig-data.ts';
import { caseFolder } from './sandbox-node.ts';

let programs: InstalledPrograms;
beforeAll(async () => {
  programs = await installPrograms();
});
afterAll(() => programs?.remove());

const apiVersion = 'apiVersion: kubeadm.k8s.io/v1beta4';
const header = `${apiVersion}\nkind: ClusterConfiguration\nkubernetesVersion: v1.37.2\n`;
const files = {
  'made.yaml': `${header}encryptionAlgorithm: ECDSA-P256\n`,
  'named.yaml': `${header}clusterName: blue\ncontrolPlaneEndpoint: api.example.org:8443\ncertificatesDir: /opt/pki\nencryptionAlgorithm: ECDSA-P384\n---\n${apiVersion}\nkind: InitConfiguration\nlocalAPIEndpoint: { advertiseAddress: 192.0.2.77, bindPort: 7443 }\n`,
  'six.yaml': `${header}encryptionAlgorithm: ECDSA-P256\n---\n${apiVersion}\nkind: InitConfiguration\nlocalAPIEndpoint: { advertiseAddress: "2001:db8::10" }\n`,
  'wrong.yaml': `${header}frob: 1\nclusterName: [\n`,
};
const named = `--config=${caseFolder}/named.yaml`;

/** With a configuration, unless the words name one: without any the real kubeadm asks the network for a version first. */
function asked(given: readonly string[], prepare: readonly string[] = []): Answers {
  const words = given.some((word) => word.startsWith('--config'))
    ? given
    : [...given, `--config=${caseFolder}/made.yaml`];
  const node = {
    files,
    prepare: [
      `${programs.kubeadm} init phase certs all --config ${caseFolder}/made.yaml > /dev/null 2>&1`,
      'cp -r /etc/kubernetes/pki /opt/pki',
      ...prepare,
    ],
  };
  const [answers] = askPrograms(programs, node, [['kubeconfig', 'user', ...words]]);
  if (answers === undefined) throw new Error('no program was asked');
  return answers;
}

/** Certificate and key are random; all else counts byte for byte. */
const withoutRandom = (text: string) => text.replace(/(client-(?:certificate|key)-data): .+/g, '$1: RANDOM');

/** What is not random in a certificate: names, usages, kind of key, lifetime, issuer, and that it belongs to the key. */
function made(kubeconfig: string) {
  const pem = kubeconfigData(kubeconfig, 'client-certificate-data');
  const key = kubeconfigData(kubeconfig, 'client-key-data');
  const certificate = new X509Certificate(pem);
  const authority = new X509Certificate(kubeconfigData(kubeconfig, 'certificate-authority-data'));
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  return {
    facts: certificateFacts(pem),
    beginsWithItsAuthority: from === Date.parse(authority.validFrom),
    issued: certificate.verify(authority.publicKey),
    isPair: certificate.checkPrivateKey(createPrivateKey(key)),
    keyLabel: key.split('\n')[0],
    until,
  };
}

describe('prints what the real kubeadm prints', () => {
  it.each<readonly [string, readonly string[]]>([
    ['for a user', ['--client-name=jo', '--config=']],
    ['for a user in groups', ['--client-name', 'jo', '--org', 'a,b', '--org=system:masters']],
    ['for a day', ['--client-name=jo', '--validity-period=24h', `--config=${caseFolder}/made.yaml`]],
    ['for ten years', ['--client-name=jo', '--validity-period=87600h']],
    ['of a configuration', ['--client-name=system:node:x', named]],
    ['at an IPv6 address', ['--client-name=jo', `--config=${caseFolder}/six.yaml`]],
    ['with a name that YAML has to quote', ['--client-name=true']],
  ])('%s', (_, words) => {
    const { theirs, ours } = asked(words);
    expect([theirs.status, ours.status], `${theirs.stderr}${ours.stderr}`).toEqual([0, 0]);
    expect(withoutRandom(ours.stdout)).toBe(withoutRandom(theirs.stdout));
    const [one, other] = [made(theirs.stdout), made(ours.stdout)];
    expect(Math.abs(one.until - other.until)).toBeLessThan(30_000);
    expect(other).toEqual({ ...one, until: other.until });
    expect(other).toMatchObject({ issued: true, isPair: true });
    expect(/longer than the default duration/.test(ours.stderr)).toBe(
      /longer than the default duration/.test(theirs.stderr),
    );
  });

  it.each<readonly [string, readonly string[]]>([
    ['with a token', ['--client-name=jo', '--token=abcdef.0123456789abcdef']],
    ['with a token of a configuration', ['--client-name=jo', '--token', 'secret', named, '--org=a']],
    ['with a token and no name', ['--client-name=', '--token=secret']],
  ])('%s', (_, words) => {
    const { theirs, ours } = asked(words);
    expect(ours.status, ours.stderr).toBe(0);
    expect(ours.stdout).toBe(theirs.stdout);
  });

  it.each<readonly [string, readonly string[], readonly string[], RegExp]>([
    ['without a name', [], [], /required flag\(s\) "client-name" not set/],
    ['an empty name', ['--client-name='], [], /must specify a CommonName/],
    ['no CA', ['--client-name=jo'], ['rm /etc/kubernetes/pki/ca.crt'], /CA files couldn't be loaded/],
    ['no key of the CA', ['--client-name=jo'], ['rm /etc/kubernetes/pki/ca.key'], /CA files couldn't be loaded/],
    ['no CA for a token', ['--client-name=jo', '--token=a'], ['rm /etc/kubernetes/pki/ca.crt'], /CA files couldn't be/],
    ['a CA that is none', ['--client-name=jo'], ['echo > /etc/kubernetes/pki/ca.crt'], /CA files couldn't be loaded/],
    ['a period that is none', ['--client-name=jo', '--validity-period=soon'], [], /invalid duration/],
    ['an argument', ['--client-name=jo', 'extra'], [], /unknown command "extra" for "kubeadm kubeconfig user"/],
    ['no such configuration', ['--client-name=jo', '--config=/none'], [], /none/],
    ['a wrong configuration', ['--client-name=jo', `--config=${caseFolder}/wrong.yaml`], [], /yaml/i],
  ])('refuses %s', (_, words, prepare, message) => {
    const { theirs, ours } = asked(words, prepare);
    expect(theirs.status).not.toBe(0);
    expect(ours).toMatchObject({ status: theirs.status, stdout: '' });
    expect(theirs.stderr).toMatch(message);
    expect(ours.stderr).toMatch(message);
  });
});

describe('is better than the real kubeadm', () => {
  it('a token needs no key of the CA', () => {
    const { theirs, ours } = asked(['--client-name=jo', '--token=secret'], ['rm /etc/kubernetes/pki/ca.key']);
    expect(theirs.status).toBe(1);
    expect(ours.status, ours.stderr).toBe(0);
    expect(ours.stdout).toContain('token: secret');
  });

  it('a period that is over before it begins is refused', () => {
    const { theirs, ours } = asked(['--client-name=jo', '--validity-period=-1h']);
    expect(theirs.status).toBe(0);
    expect(ours).toMatchObject({ stdout: '', stderr: expect.stringContaining('--validity-period=-1h') });
    expect(ours.status).not.toBe(0);
  });

  it('a certificate that outlives its CA is told', () => {
    const { theirs, ours } = asked(['--client-name=jo', '--validity-period=175200h']);
    expect(theirs.stderr).not.toContain('CA');
    expect(ours.stderr).toContain('valid longer than its CA');
    expect(ours.status).toBe(0);
  });
});
