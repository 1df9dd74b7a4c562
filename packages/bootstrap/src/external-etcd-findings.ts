import { type Finding, messageOf } from '@groundplane/errors';
import type { Demand } from '@groundplane/phases';
import { isPair, validityOf } from '@groundplane/pki';
import { rule } from './certificate-demands.ts';
import { bootstrapFinding } from './error-codes.ts';
import type { InitContext } from './init-context.ts';

/** Texts of the files by which kube-apiserver reaches an external etcd; undefined for those that are not there. */
export interface ExternalEtcdContents {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

const code = 'BOOTSTRAP_EXTERNAL_ETCD_UNFIT';

/**
 * Holds the files of an external etcd to what kube-apiserver needs of them. Warnings: its manifest is the same without them, and
 * whoever makes it may put them there later; before a whole init they are demanded by preflight.
 */
export async function externalEtcdFindings(
  { cluster }: InitContext,
  contents: ExternalEtcdContents,
  now: Date,
): Promise<readonly Finding[]> {
  const { external } = cluster.etcd;
  if (external === undefined) return [];
  const warn = (artifact: string, why: string): Finding =>
    bootstrapFinding({
      code,
      severity: 'warning',
      artifact,
      message: `kube-apiserver cannot reach the external etcd by ${artifact} as ${why}`,
      hint: 'Put there what the administrators of the etcd give: its CA, and a client certificate of it with its key',
    });
  const named = (['caFile', 'certFile', 'keyFile'] as const).flatMap((field) => {
    const path = external[field];
    return path ? [{ path, text: contents[field] }] : [];
  });
  const missing = named.flatMap(({ path, text }) => (text === undefined ? [warn(path, 'there is no such file')] : []));
  const certificates = [
    [external.caFile, contents.caFile],
    [external.certFile, contents.certFile],
  ] as const;
  const judged = certificates.map(async ([path, text]): Promise<readonly Finding[]> => {
    if (!path || text === undefined) return [];
    try {
      const { notAfter } = await validityOf(text);
      return notAfter < now ? [warn(path, `its certificate has expired: ${notAfter.toISOString()}`)] : [];
    } catch (thrown) {
      return [warn(path, messageOf(thrown))];
    }
  });
  return [...missing, ...(await Promise.all(judged)).flat(), ...(await pairFindings(external, contents, warn))];
}

async function pairFindings(
  { certFile, keyFile }: { readonly certFile?: string; readonly keyFile?: string },
  contents: ExternalEtcdContents,
  warn: (artifact: string, why: string) => Finding,
): Promise<readonly Finding[]> {
  if (!certFile || !keyFile || contents.certFile === undefined || contents.keyFile === undefined) return [];
  try {
    if (await isPair(contents.certFile, contents.keyFile)) return [];
    return [warn(keyFile, `it is not the key of the certificate ${certFile}`)];
  } catch (thrown) {
    return [warn(keyFile, messageOf(thrown))];
  }
}

/** The same in words, for a description. */
export function externalEtcdDemands({ cluster }: InitContext): readonly Demand[] {
  const { external } = cluster.etcd;
  if (external === undefined) return [];
  const { caFile, certFile, keyFile } = external;
  const files = [caFile, certFile, keyFile].filter((path) => path);
  if (files.length === 0) return [];
  return [
    rule(
      code,
      'warning',
      `${files.join(', ')} ${files.length === 1 ? 'is' : 'are'} there before kube-apiserver starts, PEM and in date${certFile && keyFile ? `; ${keyFile} is the key of ${certFile}, a client certificate that the etcd takes` : ''}${caFile ? `; ${caFile} holds the CA of the server certificate of the etcd` : ''}`,
    ),
  ];
}
