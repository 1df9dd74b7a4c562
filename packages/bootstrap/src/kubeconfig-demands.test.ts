import type { Finding } from '@groundplane/errors';
import { buildKubeconfig, type Kubeconfig, kubeconfigTable, stringifyKubeconfig } from '@groundplane/kubeconfig';
import type { AnyPhase, Demand, KubeconfigDemand } from '@groundplane/phases';
import { noSubjectAlternativeNames } from '@groundplane/pki';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../test/init-run.ts';
import { initContext, initWorld } from '../test/init-world.ts';
import { openssl } from '../test/openssl.ts';
import { now, type Shown, shownFor, violations } from '../test/violating-certificates.ts';
import type { InitContext } from './init-context.ts';
import { kubeconfigDemands } from './kubeconfig-demands.ts';
import { kubeconfigPhases } from './kubeconfig-phases.ts';

let config: InitContext;
beforeAll(async () => {
  config = await initContext({ cluster: 'controlPlaneEndpoint: lb.example.com:6443\nclusterName: example\n' });
});

const rows = kubeconfigTable.map((row) => ({ name: row.name, row }));

function demandsOf(row: (typeof rows)[number]['row']) {
  const demands = kubeconfigDemands(row, config);
  const wanted = demands.find(({ kubeconfig }) => kubeconfig !== undefined)?.kubeconfig;
  if (wanted === undefined) throw new TypeError(`nothing is said about ${row.name}`);
  return { wanted, coded: demands.filter(({ code }) => code !== undefined) };
}

/** A kubeconfig out of the data and the certificate that is shown. */
function kubeconfigFor(wanted: KubeconfigDemand, { certificate, key, authority }: Shown): Kubeconfig {
  return buildKubeconfig({
    clusterName: wanted.clusterName,
    server: wanted.server,
    certificateAuthority: authority?.certificate,
    user: wanted.userName,
    clientCertificate: certificate,
    clientKey: key,
  });
}

async function verdict(name: string, kubeconfig: Kubeconfig, { authority }: Shown): Promise<readonly Finding[]> {
  const phase = kubeconfigPhases.find((one) => one.name === `kubeconfig/${name}`) as AnyPhase<InitContext>;
  const inputs = { authority: authority?.certificate, authorityKey: authority?.key, kubeletPem: undefined };
  const outputs = { kubeconfig: stringifyKubeconfig(kubeconfig) };
  return phase.verify({ config, now, inputs, outputs }, {} as never);
}

type Change = (kubeconfig: Kubeconfig, other: Shown) => Kubeconfig;

function withCluster(change: (cluster: Kubeconfig['clusters'][number]['cluster']) => object): Change {
  return (whole) => ({
    ...whole,
    clusters: whole.clusters.map(({ name, cluster }) => ({ name, cluster: { ...change(cluster) } })),
  });
}

function withUser(user: Kubeconfig['users'][number]['user']): Change {
  return (whole) => ({ ...whole, users: whole.users.map(({ name }) => ({ name, user })) });
}

function impersonating(whole: Kubeconfig): Kubeconfig {
  return { ...whole, users: whole.users.map(({ name, user }) => ({ name, user: { ...user, as: 'somebody' } })) };
}

const pem = '/var/lib/kubelet/pki/kubelet-client-current.pem';

/** What is to be otherwise in the kubeconfig itself. */
const changes: Readonly<Record<string, Change>> = {
  'KUBECONFIG_UNREADABLE error': (whole) => ({ ...whole, kind: 'Pod' as 'Config' }),
  'KUBECONFIG_CONTEXT_MISSING error': (whole) => ({ ...whole, 'current-context': 'nowhere' }),
  'KUBECONFIG_CA_UNREADABLE error': withCluster(({ server }) => ({ server })),
  'KUBECONFIG_CA_DIFFERS error': (whole, other) =>
    withCluster((cluster) => ({
      ...cluster,
      'certificate-authority-data': Buffer.from(other.authority?.certificate ?? '').toString('base64'),
    }))(whole, other),
  'KUBECONFIG_CA_ELSEWHERE warning': withCluster(({ server }) => ({
    server,
    'certificate-authority': '/other/ca.crt',
  })),
  'KUBECONFIG_SERVER_DIFFERS warning': withCluster((cluster) => ({ ...cluster, server: 'https://192.0.2.99:6443' })),
  'KUBECONFIG_CREDENTIALS_MISSING error': withUser({}),
  'KUBECONFIG_SERVER_PLAIN error': withCluster((cluster) => ({ ...cluster, server: 'http://192.0.2.10:6443' })),
  'KUBECONFIG_UNUSABLE error': withCluster((cluster) => ({ ...cluster, 'insecure-skip-tls-verify': true })),
  'KUBECONFIG_CONNECTION_UNUSUAL warning': withCluster((cluster) => ({ ...cluster, 'tls-server-name': 'x' })),
  'KUBECONFIG_CREDENTIALS_REFUSED error': withUser({ username: 'me', password: 'x' }),
  'KUBECONFIG_CREDENTIALS_UNJUDGED warning': withUser({ token: 'x' }),
  'KUBECONFIG_IMPERSONATES error': impersonating,
  'KUBECONFIG_IMPERSONATES warning': impersonating,
  'BOOTSTRAP_KUBECONFIG_FILE_NOT_MOUNTED warning': withUser({ tokenFile: '/elsewhere/token' }),
  'BOOTSTRAP_KUBELET_CERTIFICATE_LOST error': withUser({ 'client-certificate': pem, 'client-key': pem }),
};

describe.each(rows)('$name', ({ name, row }) => {
  test('a kubeconfig of the data alone has no finding', async () => {
    const { wanted } = demandsOf(row);
    const shown = await shownFor(wanted.certificate);
    expect(await verdict(name, kubeconfigFor(wanted, shown), shown)).toEqual([]);
  });

  test('each demand, missed alone, is what verify says', async () => {
    const { wanted, coded } = demandsOf(row);
    const other = await shownFor(
      wanted.certificate,
      violations['PKI_CERTIFICATE_UNTRUSTED error']?.(wanted.certificate, noSubjectAlternativeNames),
    );
    for (const demand of coded) {
      const violation = violationOf(demand);
      const ofCertificate = violations[violation]?.(wanted.certificate, noSubjectAlternativeNames);
      const ofFile = changes[violation];
      expect(ofCertificate ?? ofFile, `${name}: nothing misses '${demand.text}'`).toBeDefined();
      const shown = await shownFor(wanted.certificate, ofCertificate);
      const kubeconfig = kubeconfigFor(wanted, shown);
      const findings = await verdict(name, ofFile?.(kubeconfig, other) ?? kubeconfig, shown);
      expect(
        findings.map(({ code, severity }) => `${code} ${severity}`),
        `${name}: ${demand.text}`,
      ).toContain(violation);
    }
  });
});

const violationOf = ({ code, severity }: Demand) => `${code} ${severity}` as keyof typeof violations;

test('what the phases make is what their demands say', async () => {
  const ports = initWorld();
  const { error } = await run(ports, config, { only: ['certs/ca', 'kubeconfig'] });
  expect(error).toBeUndefined();
  for (const { row } of rows) {
    const { wanted } = demandsOf(row);
    const { parse } = await import('yaml');
    const made = parse(ports.memory.text(`/etc/kubernetes/${row.fileName}`) ?? '');
    const [{ name: clusterName, cluster }] = made.clusters;
    const [{ name: userName, user }] = made.users;
    expect({ clusterName, userName, server: cluster.server, contextName: made['current-context'] }, row.name).toEqual({
      clusterName: wanted.clusterName,
      userName: wanted.userName,
      server: wanted.server,
      contextName: wanted.contextName,
    });
    const certificate = Buffer.from(user['client-certificate-data'], 'base64').toString();
    const subject = openssl(['x509', '-noout', '-nameopt', 'sep_comma_plus', '-subject'], certificate).trim();
    const { CN, O = [] } = wanted.user;
    expect(subject, row.name).toBe(`subject=${[...O.map((one) => `O=${one}`), `CN=${CN}`].join(',')}`);
    expect(wanted.certificate.subject).toEqual(wanted.user);
  }
});
