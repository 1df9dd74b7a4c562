import {
  type CertificateAndKey,
  type CertificateFacts,
  type CertificateName,
  type CertificateRequest,
  certificateRow,
  generatePrivateKey,
  isAuthority,
  type KeyAlgorithm,
  type keyAlgorithms,
  localSigner,
  type Signer,
  type SigningTask,
} from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const yes = <_ extends true>() => {};

yes<Equal<(typeof keyAlgorithms)[number], KeyAlgorithm>>();
yes<Equal<Awaited<ReturnType<Signer>>, readonly CertificateAndKey[]>>();

// @ts-expect-error not an algorithm that kubeadm knows
void generatePrivateKey('RSA-1024');
// @ts-expect-error not a certificate of the table
void certificateRow('etcd/server');

// A signer elsewhere is any function of this shape.
export const elsewhere: Signer = async (tasks: readonly SigningTask[]) =>
  tasks.map(() => ({ certificate: '', key: '' }));
export const local: Signer = localSigner();

declare const request: CertificateRequest;
// @ts-expect-error requests are not changed once they are made
request.subject.commonName = 'x';
// @ts-expect-error exactOptionalPropertyTypes does not forbid undefined here, but a number is no host
export const facts: Pick<CertificateFacts, 'controlPlaneEndpointHost'> = { controlPlaneEndpointHost: 1 };

const row = certificateRow('etcd-ca');
yes<Equal<typeof row.name, CertificateName>>();
if (isAuthority(row)) yes<Equal<typeof row.name, 'ca' | 'front-proxy-ca' | 'etcd-ca'>>();
