import type { Cluster, ClusterObject, Signer } from '@groundplane/phases';
import { type Memory, memoryPorts } from '@groundplane/phases/testing';
import { type CertificateAndKey, createSigningRequest, generatePrivateKey, issueCertificate } from '@groundplane/pki';
import { type KubeletSigningRequest, kubeletSigners, webCryptoSigner } from '../src/index.ts';
import { initContext } from './init-world.ts';

export const start = new Date('2026-06-01T12:00:00Z');

/** The CA of a cluster. */
export function newAuthority(commonName = 'kubernetes', issuer: 'self' | CertificateAndKey = 'self') {
  return issueCertificate(
    {
      subject: { commonName, organizations: [] },
      sans: { dnsNames: [], ipAddresses: [] },
      extendedKeyUsages: [],
      isCA: true,
      notBefore: new Date('2026-01-01T00:00:00Z'),
      notAfter: new Date('2030-01-01T00:00:00Z'),
      keyAlgorithm: 'ECDSA-P256',
    },
    { issuer },
  );
}

export interface RequestOptions {
  readonly name?: string;
  readonly node?: string;
  readonly purpose?: keyof typeof kubeletSigners;
  readonly conditions?: readonly object[];
  readonly spec?: object;
}

export const approvedCondition = { type: 'Approved', status: 'True', reason: 'AutoApproved' };

/** A CertificateSigningRequest as a kubelet makes it. */
export async function kubeletRequestObject(options: RequestOptions = {}): Promise<ClusterObject> {
  const { name = 'csr-x', node = 'node-a', purpose = 'client', conditions = [approvedCondition], spec = {} } = options;
  const isServing = purpose === 'serving';
  const subject = { commonName: `system:node:${node}`, organizations: ['system:nodes'] };
  const sans = { dnsNames: isServing ? [node] : [], ipAddresses: [] };
  const pem = await createSigningRequest({ subject, sans }, await generatePrivateKey('ECDSA-P256'));
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: kubeletSigners[purpose],
      username: isServing ? subject.commonName : 'system:bootstrap:abcdef',
      groups: [isServing ? 'system:nodes' : 'system:bootstrappers:kubeadm:default-node-token'],
      usages: ['digital signature', isServing ? 'server auth' : 'client auth'],
      ...spec,
    },
    status: { conditions },
  };
}

/** A control-plane node with its CA, an API server in memory, and what is signed there. */
export async function signingWorld(
  options: {
    readonly authority?: CertificateAndKey;
    readonly signer?: Signer;
    /** What lies between the command and the API server. */
    readonly between?: (cluster: Cluster, memory: Memory) => Partial<Cluster>;
    readonly onSleep?: (memory: Memory) => void;
  } = {},
) {
  const { authority = await newAuthority(), signer = webCryptoSigner(), between = () => ({}) } = options;
  const ports = memoryPorts({
    startMs: start.getTime(),
    ...(options.onSleep === undefined ? {} : { onSleep: options.onSleep }),
  });
  const { memory } = ports;
  memory.put('/etc/kubernetes/pki/ca.crt', { content: authority.certificate, mode: 0o644 });
  memory.put('/etc/kubernetes/pki/ca.key', { content: authority.key, mode: 0o600 });
  const cluster = await ports.clusters.connect({ kubeconfig: 'any', timeoutMs: 1 });
  const request: KubeletSigningRequest = {
    context: await initContext(),
    ports: { ...ports, signer },
    cluster: { ...cluster, ...between(cluster, memory) },
    approve: false,
  };
  const status = async (name = 'csr-x') => {
    const object = await cluster.get({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      name,
    });
    return object?.status as { readonly certificate?: string; readonly conditions?: readonly object[] } | undefined;
  };
  return { request, memory, cluster, authority, status };
}
