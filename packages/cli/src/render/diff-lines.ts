import { stringifyYaml, unifiedDiff } from '@groundplane/manifest';
import type { PlannedOutput } from '@groundplane/phases';
import { visibleText } from './shown-text.ts';

/** What would change in a file or an object, as a unified diff; nothing where that is secret, or not known before. */
export function diffLines({ location, kind, before, after }: PlannedOutput): readonly string[] {
  if (after === undefined) return [];
  const old = before === undefined ? undefined : readable(before, kind);
  const patch = unifiedDiff(old, readable(after, kind), location);
  if (patch === '') return [];
  return patch
    .trimEnd()
    .split('\n')
    .map((line) => visibleText(line).trimEnd());
}

/** Objects as YAML; of certificates and keys what they say, as their bytes say nothing to people. */
function readable(content: string, kind: PlannedOutput['kind']): string {
  if (kind === 'object') return stringifyYaml(JSON.parse(content));
  const certificates = content.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (certificates !== null) return certificates.map(certificateText).join('\n');
  return content.startsWith('-----BEGIN PUBLIC KEY-----') ? 'a public key\n' : content;
}

/** Extended key usages (RFC 5280, section 4.2.1.12). */
const usageNames: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
};

function certificateText(pem: string): string {
  // Every command that runs a workflow comes by here, and importing the module takes longer than most of what they do.
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  try {
    const {
      subject,
      issuer,
      subjectAltName,
      ca,
      validFromDate,
      validToDate,
      publicKey,
      keyUsage: usages,
    } = new X509Certificate(pem);
    const { asymmetricKeyType, asymmetricKeyDetails } = publicKey;
    const size = asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve ?? '';
    return [
      `subject: ${subject.replaceAll('\n', ', ')}`,
      `issuer: ${issuer.replaceAll('\n', ', ')}`,
      ...(subjectAltName === undefined ? [] : [`names: ${subjectAltName}`]),
      ...(usages === undefined ? [] : [`usages: ${usages.map((oid) => usageNames[oid] ?? oid).join(', ')}`]),
      `authority: ${ca ? 'yes' : 'no'}`,
      `key: ${asymmetricKeyType} ${size}`,
      `valid: ${validFromDate.toISOString()} to ${validToDate.toISOString()}`,
      '',
    ].join('\n');
  } catch {
    return 'a certificate that cannot be read\n';
  }
}
