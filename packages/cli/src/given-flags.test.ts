import { GroundplaneError } from '@groundplane/errors';
import { expect, it } from 'vitest';
import { errorWithGivenFlags, withGivenFlags } from './given-flags.ts';

const flags = { config: '/root/my cluster.yaml', 'cert-dir': '/etc/pki', 'kubeconfig-dir': '/etc/kubernetes', v: '5' };
const hint = 'groundplane certs requests; then groundplane certs import FILE';
const told =
  "groundplane certs requests --config '/root/my cluster.yaml' --cert-dir /etc/pki; then groundplane certs import --config '/root/my cluster.yaml' --cert-dir /etc/pki FILE";
const finding = { code: 'X', severity: 'error', artifact: 'a', message: 'no', hint } as const;

it('commands that are advised go by the flags that were given', () => {
  expect(withGivenFlags(finding, { flags }).hint).toBe(told);
  expect(withGivenFlags(finding, { flags: {} })).toBe(finding);
  expect(withGivenFlags({ ...finding, hint: 'groundplane certs import --workflow join FILE' }, { flags }).hint).toBe(
    'groundplane certs import --workflow join FILE',
  );
});

it('those of errors too, whose other parts stay', () => {
  const error = new GroundplaneError('X', 'Cannot', { kind: 'refused', hint, findings: [finding], details: { a: 1 } });
  expect(errorWithGivenFlags(error, { flags })).toMatchObject({
    ...{ code: 'X', message: 'Cannot', kind: 'refused', hint: told, details: { a: 1 } },
    findings: [{ hint: told }],
  });
  expect(errorWithGivenFlags(error, { flags: {} })).toBe(error);
  expect(errorWithGivenFlags('other', { flags })).toBe('other');
});
