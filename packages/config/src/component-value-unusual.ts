import type { Finding } from '@groundplane/errors';

/** The warning that a component configuration of the user differs from what kubeadm recommends; the text is kubeadm's. */
export function componentValueUnusual(
  kind: string,
  field: string,
  values: { readonly recommended: unknown; readonly value: unknown },
): Finding {
  return {
    code: 'CONFIG_COMPONENT_VALUE_UNUSUAL',
    severity: 'warning',
    artifact: `${kind}.${field}`,
    message: `The recommended value for "${field}" in "${kind}" is: ${JSON.stringify(values.recommended)}; the provided value is: ${JSON.stringify(values.value)}`,
  };
}
