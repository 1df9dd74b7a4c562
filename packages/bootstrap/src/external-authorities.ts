import { errorsOf, type Finding } from '@groundplane/errors';
import { planWorkflow, type SuppliedPorts } from '@groundplane/phases';
import { type CertificateAuthorityName, certificateTable, describeCertificate } from '@groundplane/pki';
import { certificateArtifactsOf, kubeconfigArtifact, serviceAccountKey, serviceAccountPublicKey } from './artifacts.ts';
import { wantedClientCertificate } from './certificate-demands.ts';
import { givesSigningKey, initWithoutClusterSigner } from './cluster-signer.ts';
import { bootstrapError, bootstrapFinding } from './error-codes.ts';
import { placeIn } from './findings-about.ts';
import type { InitContext } from './init-context.ts';
import { initWorkflow } from './init-workflow.ts';
import { silently } from './node-facts.ts';
import { exchangeRemedy, issuerOf, signingRequest } from './signing-requests.ts';

interface ExternalAuthorityRow {
  readonly name: CertificateAuthorityName;
  readonly longName: string;
  /** Groups of phases, beside those of its certificates, whose files hold something that it signed. */
  readonly groups: readonly string[];
  /** True if single phases go on without all of it, as those of kubeadm do. */
  readonly ofWholeInit?: true;
}

/** CAs of which all that they sign is looked at before anything else (kubeadm: cmd/init.go, newInitData). */
const externalAuthorities: readonly ExternalAuthorityRow[] = [
  { name: 'ca', longName: 'external CA', groups: ['kubeconfig'] },
  { name: 'front-proxy-ca', longName: 'external front-proxy CA', groups: [] },
  { name: 'etcd-ca', longName: 'external etcd CA', groups: [], ofWholeInit: true },
];

/** What follows from a CA whose certificate is here and whose key is not. */
export interface ExternalAuthorityVerdict {
  /** True if the service account keys are not to be made here: who keeps the CA elsewhere brings them. */
  readonly serviceAccountKeysElsewhere: boolean;
  /** True if nothing in the cluster will sign the requests of kubelets; undefined where this machine does not tell. */
  readonly isWithoutClusterSigner: boolean | undefined;
  readonly warnings: readonly Finding[];
}

/**
 * Where the key of a CA is kept elsewhere nothing that it signs can be made here, so all of it has to be there already, whatever phase is
 * asked for.
 *
 * @param options.command `init`, or the command of one of its phases
 * @param options.onlyPlanned true if nothing is going to be made: of what cannot be looked at nothing is said here, as the plan says it
 * @throws GroundplaneError BOOTSTRAP_EXTERNAL_CA_INCOMPLETE with a finding for each file that is missing or does not verify;
 *   BOOTSTRAP_UPLOAD_REFUSED if certificates are to be uploaded; BOOTSTRAP_KEY_MISSING if the whole of init is asked for without service account keys
 */
export async function judgeExternalAuthorities(
  context: InitContext,
  ports: SuppliedPorts,
  { command, onlyPlanned = false }: { readonly command: string; readonly onlyPlanned?: boolean },
): Promise<ExternalAuthorityVerdict> {
  const ask = <T>(question: () => Promise<T>): Promise<T | undefined> =>
    onlyPlanned ? silently(question) : question();
  const external: CertificateAuthorityName[] = [];
  for (const row of externalAuthorities) {
    if (row.ofWholeInit && command !== initWorkflow.name) continue;
    if (!(await ask(() => isExternal(row.name, context, ports)))) continue;
    // kubeadm shares what it finds of etcd.
    if (context.uploadCerts && row.ofWholeInit !== true) throw refusedUpload(row, context);
    external.push(row.name);
    await refuseIncomplete(row, context, ports);
  }
  // Of keys that are not to be seen it cannot be said that they are missing.
  const hasKeys = async () => (await ask(() => serviceAccountKeysExist(context, ports))) ?? true;
  // With a signer nobody brings anything.
  if (!external.includes('ca')) {
    // Where a single phase is run there may be nothing of the CA at all.
    const isKnown = command === initWorkflow.name || (await ask(() => hasKey('ca', context, ports))) === true;
    const isWithoutClusterSigner = isKnown ? false : undefined;
    return { serviceAccountKeysElsewhere: false, isWithoutClusterSigner, warnings: [] };
  }
  const isWithoutClusterSigner = !givesSigningKey(context.cluster);
  const unsigned = isWithoutClusterSigner ? initWithoutClusterSigner(context, command) : [];
  if ((await hasKeys()) || (await ask(() => isSigned(context, ports))))
    return { serviceAccountKeysElsewhere: false, isWithoutClusterSigner, warnings: unsigned };
  const warnings = [missingServiceAccountKeys(context, command), ...unsigned];
  return { serviceAccountKeysElsewhere: true, isWithoutClusterSigner, warnings };
}

/** True if the signer signs with the CA, whose key is not here. */
async function isSigned(context: InitContext, { host: { files }, signer }: SuppliedPorts): Promise<boolean> {
  const { certificate, key } = certificateArtifactsOf('ca');
  const content = await files.read(placeIn(context, certificate));
  if (content === undefined) return false;
  const subject = { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'] };
  const wanted = wantedClientCertificate(subject, context, new Date(0));
  const inputs = { authority: certificate.format.parse(content.bytes), authorityKey: undefined };
  const issuer = issuerOf(inputs, { name: 'ca', keyPlace: placeIn(context, key) });
  return signer.canIssue(signingRequest(wanted, { name: 'admin.conf', issuer }));
}

/** Without the key other control-plane nodes could make nothing that the CA has to sign (kubeadm: cmd/init.go, newInitData). */
function refusedUpload({ name, longName }: ExternalAuthorityRow, context: InitContext) {
  const key = placeIn(context, certificateArtifactsOf(name).key);
  return bootstrapError(
    'BOOTSTRAP_UPLOAD_REFUSED',
    `Cannot upload the certificates as this is an ${longName}, its key is not here: ${key}`,
    { hint: 'Leave out --upload-certs, and bring certificates and keys to each control-plane node' },
  );
}

/** A file that is no CA certificate says nothing; its own phase judges it. */
async function isExternal(
  name: CertificateAuthorityName,
  context: InitContext,
  ports: SuppliedPorts,
): Promise<boolean> {
  const { certificate } = certificateArtifactsOf(name);
  if (await hasKey(name, context, ports)) return false;
  const content = await ports.host.files.read(placeIn(context, certificate));
  if (content === undefined) return false;
  try {
    return (await describeCertificate(certificate.format.parse(content.bytes))).isCA;
  } catch {
    return false;
  }
}

async function hasKey(
  name: CertificateAuthorityName,
  context: InitContext,
  { host: { files } }: SuppliedPorts,
): Promise<boolean> {
  return (await files.status(placeIn(context, certificateArtifactsOf(name).key))) !== undefined;
}

async function refuseIncomplete(
  { name, longName, groups }: ExternalAuthorityRow,
  context: InitContext,
  ports: SuppliedPorts,
): Promise<void> {
  const signed = certificateTable.filter(({ issuer }) => issuer === name).map((row) => `certs/${row.name}`);
  const { phases } = await planWorkflow({
    workflow: initWorkflow,
    config: context,
    ports,
    selection: { only: [...signed, ...groups] },
  });
  const findings = phases.flatMap((phase) => errorsOf(phase.findings));
  if (findings.length === 0) return;
  if (await isJoinedNode(context, ports)) {
    throw bootstrapError(
      'BOOTSTRAP_JOIN_CONFLICT',
      'Cannot make a control plane here as this machine is a node of a cluster already: it has a kubelet.conf and the CA of that cluster, and no kubeconfig of a control plane',
      { findings, hint: 'To take it out of that cluster: groundplane reset' },
    );
  }
  const details = findings.map(({ message }) => message).join('; ');
  throw bootstrapError(
    'BOOTSTRAP_EXTERNAL_CA_INCOMPLETE',
    `Cannot go on as this is an invalid or incomplete ${longName}, its key is not here and what it signs is not in order: ${details}`,
    {
      findings,
      hint: `See what is needed, and have it signed: ${exchangeRemedy}. Or put the key of the CA at ${placeIn(context, certificateArtifactsOf(name).key)}`,
    },
  );
}

/** Whether a join left what is here: for a control plane with an external CA somebody has put its kubeconfigs there. */
async function isJoinedNode(context: InitContext, { host: { files } }: SuppliedPorts): Promise<boolean> {
  const has = async (name: string) => (await files.status(placeIn(context, kubeconfigArtifact(name)))) !== undefined;
  const others = ['admin.conf', 'super-admin.conf', 'controller-manager.conf', 'scheduler.conf'];
  return (await has('kubelet.conf')) && !(await Promise.all(others.map(has))).includes(true);
}

async function serviceAccountKeysExist(context: InitContext, { host: { files } }: SuppliedPorts): Promise<boolean> {
  const statuses = await Promise.all(
    [serviceAccountKey, serviceAccountPublicKey].map((artifact) => files.status(placeIn(context, artifact))),
  );
  return statuses.some((status) => status !== undefined);
}

/** @throws GroundplaneError BOOTSTRAP_KEY_MISSING where they are needed at once */
function missingServiceAccountKeys(context: InitContext, command: string): Finding {
  const place = placeIn(context, serviceAccountKey);
  const message = `Cannot make ${place} as with an external CA it comes from there too, and without it the API server does not start`;
  const hint = `Supply ${place} and ${placeIn(context, serviceAccountPublicKey)}`;
  if (command === initWorkflow.name) throw bootstrapError('BOOTSTRAP_KEY_MISSING', message, { hint });
  return bootstrapFinding({
    code: 'BOOTSTRAP_SERVICE_ACCOUNT_KEY_MISSING',
    severity: 'warning',
    artifact: place,
    message,
    hint,
  });
}
