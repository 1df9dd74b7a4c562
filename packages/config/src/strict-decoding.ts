import type { Finding } from '@groundplane/errors';
import type { ConfigurationDocument } from './read-documents.ts';

/**
 * What strict decoding says about a document: keys set twice, and fields that do not exist, be it only by their letter
 * case. Commands warn, once for each document as kubeadm does; `config validate` and `config migrate` refuse each field.
 *
 * @param strict whether these are errors
 */
export function unusedFields(
  document: ConfigurationDocument,
  unknownFields: readonly string[],
  strict = false,
): readonly Finding[] {
  const artifact = `${document.apiVersion}, Kind=${document.kind}`;
  const faults = [
    ...document.duplicateKeys.map(({ path, key, line }) => ({
      path,
      text: `line ${line}: key "${key}" already set in map${key === path ? '' : ` (${path})`}`,
    })),
    ...unknownFields.map((path) => ({ path, text: `unknown field "${path}"` })),
  ];
  if (faults.length === 0) return [];
  if (strict) {
    return faults.map(({ path, text }) => ({
      code: 'CONFIG_FIELD_UNKNOWN',
      severity: 'error',
      artifact: path,
      message: `Cannot use ${document.kind} as strict decoding fails: ${text}`,
    }));
  }
  const list = faults.map(({ text }) => text).join(', ');
  const last = document.duplicateKeys.length > 0 ? '; of a key that is set twice the last value counts' : '';
  const message = `Some fields of ${artifact} are not used as strict decoding fails: ${list}${last}`;
  return [{ code: 'CONFIG_FIELD_UNKNOWN', severity: 'warning', artifact, message }];
}

/** The warning that a command passes over a document. */
export function ignoredDocument({ apiVersion, kind }: ConfigurationDocument): Finding {
  const artifact = `${apiVersion}, Kind=${kind}`;
  return {
    code: 'CONFIG_DOCUMENT_IGNORED',
    severity: 'warning',
    artifact,
    message: `Ignored a configuration document that this command does not use: ${artifact}`,
  };
}
