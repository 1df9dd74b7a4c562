import type { Finding } from '@groundplane/errors';
import type { AnyPhase, Demand } from '@groundplane/phases';
import { type CertificateName, certificateRow, expectationOf } from '@groundplane/pki';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { openssl } from '../test/openssl.ts';
import { now, type Shown, shownFor, type Violation, violations } from '../test/violating-certificates.ts';
import { certificateArtifacts, certificateArtifactsOf } from './artifacts.ts';
import { certificatePairDemands } from './certificate-demands.ts';
import { certificatePhases } from './certificate-phases.ts';
import { certificateFactsOf, type InitContext } from './init-context.ts';

let config: InitContext;
beforeAll(async () => {
  config = await initContext({
    cluster: 'controlPlaneEndpoint: lb.example.com:6443\napiServer: {certSANs: [api.example.com, 2001:db8::1]}\n',
  });
});

const rows = certificateArtifacts.map((artifacts) => ({ name: artifacts.row.name, artifacts }));

function demandsOf(name: CertificateName) {
  const artifacts = rows.find((row) => row.name === name)?.artifacts;
  if (artifacts === undefined) throw new TypeError(`there is no ${name}`);
  const { certificate, key } = certificatePairDemands(artifacts, config);
  const wanted = certificate.find((demand) => demand.certificate !== undefined)?.certificate;
  if (wanted === undefined) throw new TypeError(`nothing is said about ${name}`);
  return { wanted, coded: [...certificate, ...key].filter(({ code }) => code !== undefined) };
}

/** What the phase itself says. */
async function verdict(
  name: CertificateName,
  { certificate, key, authority }: Omit<Shown, 'key'> & { readonly key: string | undefined },
  context = config,
): Promise<readonly Finding[]> {
  const phase = certificatePhases.find((one) => one.name === `certs/${name}`) as AnyPhase<InitContext>;
  const inputs = { authority: authority?.certificate, authorityKey: authority?.key };
  return phase.verify({ config: context, now, inputs, outputs: { certificate, key } }, {} as never);
}

const violationOf = ({ code, severity }: Demand) => `${code} ${severity}` as Violation;

describe.each(rows)('$name', ({ name }) => {
  test('a certificate of the data alone has no finding', async () => {
    const { wanted } = demandsOf(name);
    expect(await verdict(name, await shownFor(wanted))).toEqual([]);
  });

  test('each demand, missed alone, is what verify says', async () => {
    const { wanted, coded } = demandsOf(name);
    expect(coded.length).toBeGreaterThan(5);
    for (const demand of coded) {
      const violation = violationOf(demand);
      const change = violations[violation]?.(
        wanted,
        expectationOf(certificateRow(name), certificateFactsOf(config)).requiredSans,
      );
      expect(change, `${name}: nothing misses '${demand.text}'`).toBeDefined();
      const findings = await verdict(name, await shownFor(wanted, change));
      expect(
        findings.map(({ code, severity }) => `${code} ${severity}`),
        `${name}: ${demand.text}`,
      ).toContain(violation);
    }
  });

  test('verify says nothing that is not demanded', async () => {
    const { wanted, coded } = demandsOf(name);
    const known = new Set(coded.map(violationOf));
    const required = expectationOf(certificateRow(name), certificateFactsOf(config)).requiredSans;
    for (const [violation, change] of Object.entries(violations)) {
      const findings = await verdict(name, await shownFor(wanted, change(wanted, required)));
      for (const { code, severity, message } of findings)
        expect(known, `${name}, ${violation}: ${message}`).toContain(`${code} ${severity}`);
    }
  });
});

describe('several certificates in ca.crt', () => {
  const bundle = async () =>
    shownFor(demandsOf('ca').wanted, violations['PKI_CERTIFICATE_NOT_ALONE error']?.(demandsOf('ca').wanted, nothing));
  const place = '/etc/kubernetes/pki/ca.crt';
  const withSigningFile = (value: string) =>
    initContext({
      cluster: `controllerManager: {extraArgs: [{name: cluster-signing-cert-file, value: ${JSON.stringify(value)}}]}\n`,
    });

  test('are refused where its key is, with both ways out', async () => {
    const [finding, ...others] = await verdict('ca', await bundle());
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'PKI_CERTIFICATE_NOT_ALONE', severity: 'error', artifact: place });
    expect(finding?.message).toMatch(/kube-controller-manager.*: 2$/);
    expect(finding?.hint).toContain('cluster-signing-cert-file');
  });

  test('are allowed without its key, and in CAs that no component signs with', async () => {
    const { certificate, key } = await bundle();
    expect(await verdict('ca', { certificate, key: undefined })).toEqual([]);
    for (const name of ['front-proxy-ca', 'etcd-ca'] as const)
      expect(await verdict(name, { certificate, key })).toEqual([]);
  });

  test.each([
    ['another file', '/etc/kubernetes/pki/signing.crt', false],
    ['none', '', false],
    ['the same file', place, true],
  ])('with %s for kube-controller-manager to sign with', async (_, value, isRefused) => {
    const context = await withSigningFile(value);
    expect((await verdict('ca', await bundle(), context)).map(({ code }) => code)).toEqual(
      isRefused ? ['PKI_CERTIFICATE_NOT_ALONE'] : [],
    );
    const codes = certificatePairDemands(certificateArtifactsOf('ca'), context).certificate.map(({ code }) => code);
    expect(codes.includes('PKI_CERTIFICATE_NOT_ALONE')).toBe(isRefused);
  });

  test.each([
    ['init', {}],
    ['init without certs', { skip: ['certs'] }],
    ['the static pods alone', { only: ['control-plane'] }],
  ])('stop %s before its first write', async (_, selection) => {
    const ports = initWorld();
    await run(ports, config, { only: ['certs', 'kubeconfig'] });
    const own = ports.memory.text(place) ?? '';
    const { certificate } = await bundle();
    ports.memory.put(place, { content: own + certificate, mode: 0o644 });
    const before = ports.memory.writes.length;
    const { error } = await run(ports, config, selection);
    expect(error?.findings.map(({ code }) => code)).toContain('PKI_CERTIFICATE_NOT_ALONE');
    expect(ports.memory.writes.length).toBe(before);
  });
});

const nothing = { dnsNames: [], ipAddresses: [] };

test('what the phases make is what their demands say, as openssl sees it', async () => {
  const ports = initWorld();
  const { error } = await run(ports, config, { only: ['certs'] });
  expect(error).toBeUndefined();
  for (const { name, artifacts } of rows) {
    const { wanted } = demandsOf(name);
    const pem = ports.memory.text(`/etc/kubernetes/${artifacts.certificate.id}`) ?? '';
    const shown = openssl(['x509', '-noout', '-nameopt', 'sep_comma_plus', '-subject', '-ext', extensions], pem);
    const { subject, dnsNames, ipAddresses, keyUsage, extendedKeyUsage, isAuthority } = wanted;
    const names = [
      ...dnsNames.map((one) => `DNS:${one}`),
      ...ipAddresses.map((one) => `IP Address:${opensslAddress(one)}`),
    ];
    expect(
      shown
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
      name,
    ).toEqual(
      expect.arrayContaining([
        `subject=${[...(subject.O ?? []).map((one) => `O=${one}`), `CN=${subject.CN}`].join(',')}`,
        `CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
        keyUsage.map((usage) => usageNames[usage]).join(', '),
        ...(extendedKeyUsage.length === 0 ? [] : [extendedKeyUsage.map((usage) => usageNames[usage]).join(', ')]),
        ...(names.length === 0 ? [] : [names.join(', ')]),
      ]),
    );
    if (extendedKeyUsage.length === 0) expect(shown, name).not.toContain('Extended Key Usage');
    if (names.length === 0) expect(shown, name).not.toContain('Alternative Name');
    const validity = openssl(['x509', '-noout', '-dateopt', 'iso_8601', '-startdate', '-enddate'], pem);
    const [from = 0, to = 0] = [...validity.matchAll(/=(.*)/g)].map(([, time = '']) => Date.parse(time));
    // Certificates begin five minutes before now.
    expect((to - from) / 86_400_000, name).toBeCloseTo(wanted.validityDays + 5 / 1440, 4);
    expect(openssl(['x509', '-noout', '-text'], pem), name).toContain('ASN1 OID: prime256v1');
    expect(wanted.keyAlgorithm).toBe('ECDSA-P256');
  }
});

const extensions = 'basicConstraints,keyUsage,extendedKeyUsage,subjectAltName';
const usageNames: Readonly<Record<string, string>> = {
  digitalSignature: 'Digital Signature',
  keyEncipherment: 'Key Encipherment',
  keyCertSign: 'Certificate Sign',
  serverAuth: 'TLS Web Server Authentication',
  clientAuth: 'TLS Web Client Authentication',
};

/** openssl writes all eight groups of an IPv6 address. */
function opensslAddress(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = address.includes('::')
    ? [...groups(head), ...Array(missing).fill('0'), ...groups(tail)]
    : groups(address);
  return all.map((group) => group.toUpperCase()).join(':');
}
